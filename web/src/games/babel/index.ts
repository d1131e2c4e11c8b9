import type { GameDeclaration } from '../../table/games'

export default {
  order: 3,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
