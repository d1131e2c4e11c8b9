import type { GameDeclaration } from '../../lib/games'

export default {
  players: [2, 6],
  order: 1,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
