/** Tables that anyone may join. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  places: {
    home: () => import('./OpenTables.svelte'),
    open: () => import('./OpenUntil.svelte'),
    terms: () => import('./OpenTerms.svelte'),
  },
}
