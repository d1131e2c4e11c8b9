import type { GameDeclaration } from '../../lib/games'

export default {
  players: [3, 5],
  order: 3,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
