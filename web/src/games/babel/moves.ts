/** Where on the board of Tower of Babel moves are made. */
import type { Places } from '../../table/moves'
import type { Step, View } from './view'

const disc = ({ chosen }: Sight): string[] => (chosen ? [`disc:${chosen.wonder}:${chosen.space}`] : [])

type Sight = Pick<View, 'chosen'>

export default {
  choose: ({ wonder, space }) => [`disc:${wonder}:${space}`],
  lay: ({ card }, { own }) => (own ? [`hand:${card}`] : []),
  commit_trade: (_, { own }) => (own ? ['hand:trade'] : []),
  accept: ({ action, seats }, { view }) => [
    `way:${action}`,
    ...(seats.length > 0 ? seats.map((seat) => `offer:${seat}:*`) : disc(view)),
  ],
  fail: ({ action }, { view }) => [`way:${action}`, ...disc(view)],
  pass: (_, { own }) => (own ? [] : ['deck']),
  double: (_, { seat }) => [`actions:${seat}`],
  draw: (_, { seat }) => [`actions:${seat}`],
  triple: (_, { seat }) => [`actions:${seat}`],
} satisfies Places<Sight, Step>
