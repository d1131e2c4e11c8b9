import type { GameDeclaration } from '../../lib/games'

export default {
  players: [1, 5],
  order: 4,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
