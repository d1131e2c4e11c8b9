/** Where on the board of Ginkgopolis moves are made. */
import type { Places, Target } from '../../table/moves'
import { isLetter, type At, type Step, type View } from './view'

type Sight = Pick<View, 'buildings'>

/** A cell by the nearest building, since only those have a place on the page. */
function beside({ buildings = [] }: Partial<Sight>, { x, y }: At): Target[] {
  const far = (one: At): number => Math.abs(one.x - x) + Math.abs(one.y - y)
  const near = [...buildings].sort((one, other) => far(one) - far(other))[0]
  return near ? [[`at:${near.x},${near.y}`, x - near.x, near.y - y]] : []
}

export default {
  pick: ({ character }) => [`pick:${character}`],
  card: ({ card, x, y }, { own }) => [
    isLetter(card) ? `marker:${card}` : `at:${x},${y}`,
    ...(own ? [`hand:${card}`] : []),
  ],
  tile: ({ tile }, { own }) => (own ? [`tile:${tile}`] : []),
  return: ({ tile }, { own }) => (own ? [`tile:${tile}`] : []),
  new_hand: (_, { own }) => (own ? ['new_hand'] : []),
  take: ({ good }, { own }) => (own ? [`${good}s`] : []),
  move: (at, { view }) => beside(view, at),
  move_to: (at, { view }) => beside(view, at),
  shift: ({ marker }) => [`marker:${marker}`],
} satisfies Places<Sight, Step>
