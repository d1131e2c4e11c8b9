/** After the last move: the game again, what was worth what, and showing it. */
import type { PageFeature } from '../../table/feature'

export const feature: PageFeature = {
  pages: {
    game: { takes: ['secret'], load: () => import('./Shown.svelte') },
    replay: { load: () => import('./Shown.svelte') },
  },
  doors: { '#/replay': 'ui.home.replay' },
  places: {
    after: () => import('./AfterGame.svelte'),
    end: () => import('./AfterEnd.svelte'),
    file: () => import('./ReplayFile.svelte'),
    replay: () => import('./Stepper.svelte'),
    ways: () => import('./WaysOn.svelte'),
  },
}
