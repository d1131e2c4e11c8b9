import type { GameModule } from '../../lib/games'

export default {
  id: 'babel',
  players: [3, 5],
  order: 3,
  thumbnail: () => import('./Thumbnail.svelte'),
  main: ['action_cards', 'two_colour_discs'],
  board: () => import('./Board.svelte'),
} satisfies GameModule
