import type { GameRoom } from '../../lib/games'
import Plate from './Plate.svelte'

export default {
  id: 'architects',
  order: 2,
  plate: Plate,
  main: ['wonders', 'first_player'],
  board: () => import('./Board.svelte'),
} satisfies GameRoom
