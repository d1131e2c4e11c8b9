/** The words: the catalogues of the package itself, of one language. */
import { untrack } from 'svelte'
import { ways } from 'virtual:games'
import { LOCALES } from 'virtual:languages'
import { WORDS } from 'virtual:words'
import { connection } from './connection.svelte'
import { format, sentence, type Words } from './format'
import { settings, type Language } from './settings.svelte'
import type { Args, Phrase } from './wire'

type Catalogue = Record<string, string>

/** The catalogue of what few people open, or only later (`catalogue.ts`). */
export const LATER = 'server'
/** Under this name the general words are known, and those of a part: `ziggurat/learn`. */
export const HOUSE = 'ziggurat'
/** The rules of grammar by which a language changes words, where it does. */
const GRAMMARS: Record<string, () => Promise<Words['grammar']>> = {
  hu: async () => (await import('./hungarian')).hungarian,
}

/** Fetches a catalogue: data, not scripts, which the build writes next to the page (`scripts/words.mjs`). */
export async function fetchWords(name: string, language: Language): Promise<Catalogue> {
  const of = name.split('/')[0]!
  // Of a game that is not here any more, though a table of it is, there are none.
  if (of !== HOUSE && of !== LATER && !(of in ways)) return {}
  const address = new URL(`${WORDS}${language}/${name}.json`, import.meta.url).href
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
    const [words, grammar] = await Promise.all([fetchWords(HOUSE, language), GRAMMARS[language]?.()])
    const games: Record<string, Catalogue> = {}
    // One by one: so a set gives what is added to it meanwhile, too.
    for (const name of this.#wanted) games[name] = await fetchWords(name, language)
    this.#general = words
    this.#grammar = grammar
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
      const found = await fetchWords(name, language)
      // Another language may have been chosen meanwhile.
      if (language !== this.language) return this.need(name)
      this.#games = { ...this.#games, [name]: found }
    })
  }

  /** Makes what tells numbers and lists, which takes long: before a board is drawn, and not meanwhile. */
  prepare(): void {
    format('{n, plural, other {}}{n}', { n: [''] }, this.words(null))
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
            ? (this.#games[game]?.[key] ?? this.#games[game + part]?.[key] ?? this.#general[`${key}.${game}`])
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
    return own ?? LOCALES[language]!
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
