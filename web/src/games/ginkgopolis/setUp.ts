import type { SetUp } from '../../lib/games'

export default { main: ['characters', 'hal'] } satisfies SetUp
