/** The tokens of one's programs. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  places: { member: () => import('./Tokens.svelte') },
}
