/** What no question to the board is about, and how else a listener comes to know it: for the test of questions. */
export default [
  [/^(kinds\.|take_limit$)/, 'printed'],
  [/^owners\.\*\.(neutral|hand|known)$/, 'nobody may know it, or it is the name'],
] satisfies [RegExp, string][]
