import type { SetUp } from '../../table/games'

export default { main: ['action_cards', 'two_colour_discs'] } satisfies SetUp
