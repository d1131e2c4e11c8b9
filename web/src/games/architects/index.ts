import type { GameDeclaration } from '../../lib/games'

export default {
  players: [2, 7],
  order: 2,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
