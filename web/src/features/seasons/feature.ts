/** The seasons of groups. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { season: { takes: ['season', 'view?'], anew: 1, load: () => import('./Season.svelte') } },
  places: { group: () => import('./SeasonsOfGroup.svelte') },
}
