/** What this browser remembers: language, theme, speed of the animations. */
import { keep, recall } from './kept'

export type Language = 'en' | 'hu'
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

function guess(): Language {
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('hu')) ? 'hu' : 'en'
}

class Settings {
  language = $state<Language>('en')
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
    this.language = stored.language === 'hu' || stored.language === 'en' ? stored.language : guess()
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
