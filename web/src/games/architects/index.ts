import type { GameRoom } from '../../lib/games'

export default {
  id: 'architects',
  order: 2,
  plate: () => import('./Plate.svelte'),
  main: ['wonders', 'first_player'],
  board: () => import('./Board.svelte'),
} satisfies GameRoom
