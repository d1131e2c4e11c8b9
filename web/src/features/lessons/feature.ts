/** Learning a game: its lessons, and a guided first game. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: { learn: { takes: ['game', 'lesson?'], load: () => import('./Learn.svelte') } },
  guide: () => import('./Tutorial.svelte'),
}
