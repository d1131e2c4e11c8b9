/** Being told elsewhere what happens at one's tables. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  places: { me: () => import('./MyNotifications.svelte') },
  hosts: { words: 'news.hook.title', load: () => import('./Notifications.svelte') },
  link: { begins: 'news.', load: () => import('./OpenLink.svelte') },
  waits: async () => (await import('./notifications')).offer(),
  reaches: async () => {
    const { notifications } = await import('./notifications')
    return (await notifications.get()).ways.some(({ confirmed }) => confirmed)
  },
  signIn: async (signIn) => (await import('./notifications')).stayTold(signIn),
}
