/** The people one knows. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { people: { load: () => import('./People.svelte') } },
  doors: { '#/people': 'list.people' },
  places: { invite: () => import('./InvitePeople.svelte'), member: () => import('./MyPeople.svelte') },
}
