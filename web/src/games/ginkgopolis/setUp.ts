import type { SetUp } from '../../table/games'

export default { main: ['characters', 'hal'] } satisfies SetUp
