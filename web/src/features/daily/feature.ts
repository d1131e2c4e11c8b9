/** The deals of the day. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { day: { takes: ['game', 'date?'], anew: 0, load: () => import('./Daily.svelte') } },
  places: { ways: () => import('./ToDay.svelte'), end: () => import('./OpensLater.svelte') },
  seals: async (table) => (table.deal ? (await import('./daily')).openDeal(table) : null) !== null,
}
