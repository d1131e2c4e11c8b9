import type { GameRoom } from '../../lib/games'
import Plate from './Plate.svelte'

export default {
  id: 'alhambra',
  order: 1,
  plate: Plate,
  orders: { age_order: (options) => options.start_player === 'youngest' },
  board: () => import('./Board.svelte'),
} satisfies GameRoom
