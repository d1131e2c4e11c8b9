/** What people say at tables. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  places: { settings: () => import('./TalkSettings.svelte') },
  talk: async (session) => (await import('./talk.svelte')).begin(session),
}
