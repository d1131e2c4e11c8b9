/** What there is of each game, found in its folders when the page is built (`scripts/games.mjs`). */
declare module 'virtual:games' {
  /** What games are called: by game, language and key. */
  export const titles: Record<string, Record<string, Record<string, string>>>
  /** A game's pages other than its table. */
  export const ways: Record<string, string[]>
}
