/** One move to find. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  // The next puzzle of a game is on the same page.
  pages: { find: { takes: ['game', 'puzzle?'], anew: 1, load: () => import('./Puzzle.svelte') } },
}
