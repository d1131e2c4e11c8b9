/** Notes of one's own at a table. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  places: {
    during: () => import('./NotesPlace.svelte'),
    end: () => import('./NotesEnd.svelte'),
    log: () => import('./NotesButton.svelte'),
  },
}
