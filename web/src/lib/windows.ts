/**
 * The windows of which style sheets speak, by name: `@media (--small)` is written out by the build (`vite.config.ts`).
 * Whoever combines a name with `and` takes one without a comma.
 */
export const WINDOWS = {
  /** A phone, upright or not, and a low window of any width: pieces are small there. */
  small: '(max-width: 700px), (max-height: 500px)',
  /** Everything else. */
  large: '(min-width: 701px) and (min-height: 501px)',
  /** Of the small ones those that lie: the board is on the left, and beside it what is asked. */
  lying: '(max-height: 500px) and (min-width: 560px)',
  /** And those that do not. */
  upright: '(max-width: 559px), (max-width: 700px) and (min-height: 501px)',
} as const
