import type { GameDeclaration } from '../../lib/games'

export default {
  order: 2,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
