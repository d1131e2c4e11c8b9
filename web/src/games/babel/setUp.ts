import type { SetUp } from '../../lib/games'

export default { main: ['action_cards', 'two_colour_discs'] } satisfies SetUp
