import type { SetUp } from '../../table/games'

export default { orders: { age_order: (options) => options.start_player === 'youngest' } } satisfies SetUp
