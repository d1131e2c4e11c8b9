/** What this browser remembers: language, theme, speed of the animations. */
import { LOCALES } from 'virtual:languages'
import { keep, recall } from './kept'

/** One of those that there are, by its code. */
export type Language = string
export type Theme = 'auto' | 'light' | 'dark'

const KEY = 'ziggurat.settings'

interface Stored {
  language?: Language
  theme?: Theme
  speed?: number
  log?: boolean
  sound?: boolean
  keys?: boolean
}

const read = (): Stored => recall<Stored>(KEY, {})

/** All languages, and that from which they are translated. */
export const LANGUAGES = Object.keys(LOCALES)
const FIRST = LANGUAGES[0]!

/** The first language that this browser asks for and that there is, as the server says it too. */
const guess = (): Language =>
  navigator.languages.map((tag) => tag.split('-')[0]!.toLowerCase()).find((one) => one in LOCALES) ?? FIRST

class Settings {
  language = $state<Language>(FIRST)
  theme = $state<Theme>('auto')
  /** 0: no animation; 1: as drawn; 2: twice as fast. */
  speed = $state(1)
  /** Is the log of a table unfolded on a wide screen? */
  log = $state(true)
  /** May it sound when it is the turn of a person who does not look? */
  sound = $state(true)
  /** Do letters and digits choose at a table? */
  keys = $state(true)

  constructor() {
    const stored = read()
    this.language = stored.language && stored.language in LOCALES ? stored.language : guess()
    this.theme = stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : 'auto'
    this.speed = typeof stored.speed === 'number' ? Math.min(2, Math.max(0, stored.speed)) : 1
    this.log = stored.log ?? true
    this.sound = stored.sound ?? true
    this.keys = stored.keys ?? true
  }

  get chosenLanguage(): boolean {
    return read().language !== undefined
  }

  save(): void {
    const { language, theme, speed, log, sound, keys } = this
    keep(KEY, { language, theme, speed, log, sound, keys })
  }
}

export const settings = new Settings()
