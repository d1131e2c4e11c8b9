/** What no question to the board is about, and how else a listener comes to know it: for the test of questions. */
export default [
  [/^effects\./, 'printed'],
  [/^drawable$/, 'the deck and the discard pile together'],
  [/^chosen(\.space)?$/, 'which wonder and what it needs is told'],
  [/^builders\.\*\.(hand|actions|offer\.returned)$/, 'nobody may know it, or the log tells it'],
] satisfies [RegExp, string][]
