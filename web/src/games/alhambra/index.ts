import type { GameModule } from '../../lib/games'

export default {
  id: 'alhambra',
  players: [2, 6],
  order: 1,
  thumbnail: () => import('./Thumbnail.svelte'),
  orders: { age_order: (options) => options.start_player === 'youngest' },
  board: () => import('./Board.svelte'),
} satisfies GameModule
