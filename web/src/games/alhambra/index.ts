import type { GameRoom } from '../../lib/games'

export default {
  id: 'alhambra',
  order: 1,
  plate: () => import('./Plate.svelte'),
  orders: { age_order: (options) => options.start_player === 'youngest' },
  board: () => import('./Board.svelte'),
} satisfies GameRoom
