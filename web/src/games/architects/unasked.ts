/** What no question to the board is about, and how else a listener comes to know it: for the test of questions. */
export default [
  [/^(wonders|card_points|tokens)\.|^military_points$/, 'printed'],
  [/^(conflict\.pairs\.|decks\.\*\.seat$)/, 'who sits beside whom'],
  [/^builders\.\*\.built\.\*$/, 'how many are built, and which are next'],
] satisfies [RegExp, string][]
