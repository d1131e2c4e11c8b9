/** Results of finished games for elsewhere. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  places: { end: () => import('./ResultEnd.svelte'), member: () => import('./MyResults.svelte') },
}
