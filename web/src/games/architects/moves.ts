/** Where on the board of 7 Wonders: Architects moves are made. */
import type { Moment, Places } from '../../table/moves'
import type { Move, View } from './view'

type Sight = Pick<View, 'offer' | 'looked'>

const deck = (step: { deck: string }): string[] => [`deck:${step.deck}`]
const token = (name: string, { view }: Moment<Sight>): string =>
  name === 'stack' ? name : `offer:${view.offer.indexOf(name)}`
const spent = (cards: string[], { own }: Moment<Sight>): string[] => (own ? cards.map((card) => `cards:${card}`) : [])

export default {
  draw: deck,
  extra: deck,
  take_any: deck,
  look: deck,
  build: ({ stage, cards }, moment) => [`stage:${moment.seat}:${stage}`, ...spent(cards, moment)],
  claim: ({ cards, token: name }, moment) => [token(name, moment), ...spent(cards, moment)],
  take_token: ({ token: name }, moment) => [token(name, moment)],
  keep: ({ card }, { view, own }) => [own ? `keep:${card}` : `deck:${view.looked?.deck}`],
  choose_wonder: ({ wonder }) => [`wonder:${wonder}`],
} satisfies Places<Sight, Move>
