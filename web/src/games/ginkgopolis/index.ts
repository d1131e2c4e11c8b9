import type { GameRoom } from '../../lib/games'

export default {
  id: 'ginkgopolis',
  order: 4,
  plate: () => import('./Plate.svelte'),
  main: ['characters', 'hal'],
  board: () => import('./Board.svelte'),
} satisfies GameRoom
