/** Moves that are written ahead at tables by days. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { ahead: { takes: ['table', 'seat?'], load: () => import('./Ahead.svelte') } },
  places: { ahead: () => import('./AheadLink.svelte') },
}
