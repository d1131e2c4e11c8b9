import type { GameDeclaration } from '../../table/games'

export default {
  order: 1,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
