import type { GameDeclaration } from '../../lib/games'

export default {
  order: 4,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
