/** What there is of each game, found in its folders when the page is built (`scripts/games.mjs`). */
declare module 'virtual:games' {
  /** The games that can be played, and the pages of each other than its table. */
  export const ways: Record<string, string[]>
  /** Of those that say it: how many play, how many minutes it takes from the fewest on, and how hard it is, from 1 to 3. */
  export const figures: Record<string, { fewest: number; most: number; minutes: number[]; level: number }>
}

/** The languages that there are (`scripts/languages.mjs`); the first is that from which all are translated. */
declare module 'virtual:languages' {
  /** How each writes dates and lists, for readers whose region is not known. */
  export const LOCALES: Record<string, string>
  /** Those in which units are whole words, which are short. */
  export const WHOLE_UNITS: string[]
}

/** For the pages on which a language is chosen. */
declare module 'virtual:language-names' {
  /** What each language calls itself. */
  export const NAMES: Record<string, string>
}

/** The folder of all words, a folder for each language in it (`scripts/words.mjs`). */
declare module 'virtual:words' {
  export const WORDS: string
}
