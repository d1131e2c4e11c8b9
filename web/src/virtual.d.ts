/** What there is of each game, found in its folders when the page is built (`scripts/games.mjs`). */
declare module 'virtual:games' {
  /** What games are called: by game, language and key. */
  export const titles: Record<string, Record<string, Record<string, string>>>
  /** The games that can be played, and the pages of each other than its table. */
  export const ways: Record<string, string[]>
  /** Of those that say it: how many play, how many minutes it takes from the fewest on, and how hard it is, from 1 to 3. */
  export const figures: Record<string, { fewest: number; most: number; minutes: number[]; level: number }>
}

declare module 'virtual:taglines' {
  /** What a game is like, in a sentence: by game and language. */
  export const taglines: Record<string, Record<string, string>>
}
