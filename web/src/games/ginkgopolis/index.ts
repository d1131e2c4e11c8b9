import type { GameModule } from '../../lib/games'

export default {
  id: 'ginkgopolis',
  players: [1, 5],
  order: 4,
  thumbnail: () => import('./Thumbnail.svelte'),
  main: ['characters', 'hal'],
  board: () => import('./Board.svelte'),
} satisfies GameModule
