/** What no question to the board is about, and how else a listener comes to know it: for the test of questions. */
export default [
  [/^faces\./, 'printed'],
  [/^builders\.\*\.(hal|hand|tiles|draft|aside)$/, 'nobody may know it, or it is the name'],
  [/^builders\.\*\.(chosen|played)/, 'who is waited for, and the log'],
  [/^districts\.\*\.buildings\.\*$/, 'which building stands beside which'],
] satisfies [RegExp, string][]
