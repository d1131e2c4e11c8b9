import type { GameDeclaration } from '../../table/games'

export default {
  order: 2,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
