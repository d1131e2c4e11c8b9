import type { GameModule } from '../../lib/games'

export default {
  id: 'architects',
  players: [2, 7],
  order: 2,
  thumbnail: () => import('./Thumbnail.svelte'),
  main: ['wonders', 'first_player'],
  board: () => import('./Board.svelte'),
} satisfies GameModule
