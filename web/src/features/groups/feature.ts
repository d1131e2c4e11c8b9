/** Groups of people who play together, and their evenings. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { group: { takes: ['group', 'secret?'], load: () => import('./Group.svelte') } },
  places: {
    circle: () => import('./OfGroup.svelte'),
    // With their words: what came later would push the tables below.
    own: async () => {
      const [part, { words }] = await Promise.all([import('./MyGroups.svelte'), import('../../table/folk')])
      await words()
      return part
    },
    people: () => import('./Founding.svelte'),
  },
}
