import type { SetUp } from '../../lib/games'

export default { main: ['wonders', 'first_player'] } satisfies SetUp
