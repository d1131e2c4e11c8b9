/** How good people are, by the games that count, and whether they play them to the end. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { person: { takes: ['whose?'], load: () => import('./Person.svelte') } },
  places: {
    me: () => import('./ToMyLevels.svelte'),
    listed: () => import('./ListedLevels.svelte'),
    seats: () => import('./SeatLevels.svelte'),
    policy: () => import('./CountedTerm.svelte'),
  },
}
