/** The seasons of groups. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { season: { takes: ['season', 'view?'], load: () => import('./Season.svelte') } },
  places: { group: () => import('./SeasonsOfGroup.svelte') },
}
