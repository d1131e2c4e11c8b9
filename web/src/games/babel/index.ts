import type { GameModule } from '../../lib/games'

export default {
  id: 'babel',
  players: [3, 5],
  order: 3,
  plate: () => import('./Plate.svelte'),
  main: ['action_cards', 'two_colour_discs'],
  board: () => import('./Board.svelte'),
} satisfies GameModule
