import type { SetUp } from '../../table/games'

export default { main: ['wonders', 'first_player'] } satisfies SetUp
