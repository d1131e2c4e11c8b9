/** What there is of each game, found in its folders when the page is built (`scripts/games.mjs`). */
declare module 'virtual:games' {
  /** What games are called: by game, language and key. */
  export const titles: Record<string, Record<string, Record<string, string>>>
  /** The games that can be played, and the pages of each other than its table. */
  export const ways: Record<string, string[]>
}
