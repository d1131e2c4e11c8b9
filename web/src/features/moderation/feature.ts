/** The hosts of the service: their page, and what they say. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { host: { takes: ['token?'], load: () => import('./Host.svelte') } },
  places: { strip: () => import('./HouseNotices.svelte') },
}
