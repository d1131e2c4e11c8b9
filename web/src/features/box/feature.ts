/** The pad for games with the box. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { box: { takes: ['game'], load: () => import('./Box.svelte') } },
}
