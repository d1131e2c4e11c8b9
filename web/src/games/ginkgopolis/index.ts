import type { GameDeclaration } from '../../table/games'

export default {
  order: 4,
  thumbnail: () => import('./Thumbnail.svelte'),
  board: () => import('./Board.svelte'),
} satisfies GameDeclaration
