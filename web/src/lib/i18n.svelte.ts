/** The words: the catalogues of the package itself, loaded a language at a time. */
import { untrack } from 'svelte'
import { titles } from 'virtual:games'
import { connection } from './connection.svelte'
import { format, sentence, type Words } from './format'
import { settings, type Language } from './settings.svelte'
import type { Args, Phrase } from './wire'

type Catalogue = Record<string, string>

// Data, not scripts: the build writes the catalogues next to the page, and a language is fetched when it is spoken.
const general = import.meta.glob<string>('../../../src/ziggurat/text/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
})
const ofGames = import.meta.glob<string>('../../../src/ziggurat/games/*/text/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** The catalogue of what few people open, or only later (`catalogue.ts`). */
export const LATER = 'server'
/** Under this name the general words of a part are known. */
export const HOUSE = 'ziggurat'

async function fetchWords(all: Record<string, string>, end: string): Promise<Catalogue> {
  const address = Object.entries(all).find(([path]) => path.endsWith(end))?.[1]
  if (!address) return {}
  return connection.sure(async () => {
    const found = await fetch(address)
    if (!found.ok) throw new Error('fetch') // of another version, perhaps
    return found.json() as Promise<Catalogue>
  })
}

class Texts {
  #general = $state.raw<Catalogue>({})
  #games = $state.raw<Record<string, Catalogue>>({})
  #wanted = new Set<string>()
  #grammar: Words['grammar']
  language = $state<Language>(settings.language)
  /** Says what a game has no words for, while its table is open. */
  spell: Words['spell']

  /** Loads the general words of the chosen language, and those of the games asked for so far. */
  async use(language: Language): Promise<void> {
    const [words, grammar] = await Promise.all([
      fetchWords(general, `/${language}.json`),
      language === 'hu' ? import('./hungarian') : null,
    ])
    const games: Record<string, Catalogue> = {}
    // One by one: so a set gives what is added to it meanwhile, too.
    for (const name of this.#wanted) games[name] = await this.#load(name, language)
    this.#general = words
    this.#grammar = grammar?.hungarian
    this.#games = games
    this.language = language
    document.documentElement.lang = language
  }

  /**
   * Loads the words of a game, or those that a part of its page alone says: `alhambra/learn` (`parts.ts`). What asks for
   * them does not ask again, and is not drawn again, whenever others come.
   */
  need(name: string): Promise<void> {
    return untrack(async () => {
      if (this.#games[name]) return
      this.#wanted.add(name)
      const { language } = this
      const found = await this.#load(name, language)
      // Another language may have been chosen meanwhile.
      if (language !== this.language) return this.need(name)
      this.#games = { ...this.#games, [name]: found }
    })
  }

  /** Makes what tells numbers and lists, which takes long: before a board is drawn, and not meanwhile. */
  prepare(): void {
    format('{n, plural, other {}}{n}', { n: [''] }, this.words(null))
  }

  /** Adds the addresses of catalogues that only pages need which few people open. */
  add(catalogues: Record<string, string>): void {
    Object.assign(ofGames, catalogues)
  }

  #load(name: string, language: Language): Promise<Catalogue> {
    return fetchWords(ofGames, `/${`${name}/${language}.json`.replace('/', '/text/')}`)
  }

  /** The words of one game, falling back to the general ones. */
  words(game: string | null, seatName: (seat: number) => string = String): Words {
    return {
      language: this.language,
      grammar: this.#grammar,
      seatName,
      spell: game ? this.spell : undefined,
      lookup: (key) => {
        const part = `/${key.split('.')[0]}`
        return (
          (game
            ? (this.#games[game]?.[key] ?? this.#games[game + part]?.[key] ?? titles[game]?.[this.language]?.[key])
            : null) ??
          this.#general[key] ??
          this.#games[LATER]?.[key] ??
          this.#games[HOUSE + part]?.[key]
        )
      },
    }
  }

  /** How dates and times are written: as in the reader's own region, where it speaks the chosen language. */
  get locale(): string {
    const { language } = this
    const own = navigator.languages.find((tag) => tag.startsWith(`${language}-`))
    return own ?? (language === 'en' ? 'en-GB' : language)
  }

  has(key: string, game: string | null = null): boolean {
    return this.words(game).lookup(key) !== undefined
  }
}

export const texts = new Texts()

/** The text of a key in the general catalogue. */
export function t(key: string, args: Args = {}): string {
  return write(texts.words(null), key, args)
}

const write = (words: Words, key: string, args: Args = {}): string => sentence({ key, args }, words)

/** A speaker for one game at one table: it knows the game's words and who sits where. */
export type Speak = { (key: string, args?: Args): string; phrase(phrase: Phrase): string; has(key: string): boolean }

export function speaker(game: string, seatName: (seat: number) => string = String): Speak {
  const say = (key: string, args: Args = {}): string => write(texts.words(game, seatName), key, args)
  return Object.assign(say, {
    phrase: (phrase: Phrase) => say(phrase.key, phrase.args),
    has: (key: string) => texts.has(key, game),
  })
}
