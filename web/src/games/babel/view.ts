/** What the server shows of this game. */
import type { Speak } from '../../lib/i18n.svelte'
import type { Choice, Decision, GameEvent, Phrase } from '../../lib/wire'

export type Counts = Record<string, number>

export interface Site {
  wonder: string
  discs: (Counts | null)[]
  units: number[]
}

export interface Laid {
  count: number
  /** The rest is null while it lies face down for whoever looks. */
  cards: Counts | null
  trade: boolean | null
  returned: Counts | null
}

export interface Row {
  first: number
  second: number
}

export interface Builder {
  seat: number
  score: number
  cards: number
  hand: Counts | null
  trade: boolean | null
  action_cards: number
  actions: Counts | null
  discs: string[][]
  offer: Laid | null
  units_left: number | null
}

export interface View {
  players: number
  seat: number | null
  actors: number[]
  turn: number
  start: number
  finished: boolean
  winners: number[]
  phase: 'turn' | 'offer' | 'select' | 'refusal' | 'closing'
  types: string[]
  wonders: Site[]
  chosen: { wonder: string; space: number; needs: Counts } | null
  rows: Row[]
  row: number
  other: number
  light: Row
  bonus: number[]
  refused: number
  refused_triple: number
  deck: number
  drawable: number
  discard: Counts
  action_deck: number
  actions_used: Counts
  exchange_cards: number
  draw_cards: number
  disc_points: number
  end_points: number
  builders: Builder[]
}

export interface Move extends Choice {
  // choose
  wonder?: string
  space?: number
  // lay
  card?: string
  // accept
  seats?: number[]
  add?: Counts
  jokers?: number
  joker_cards?: Counts
  units?: number[]
  disc?: number
  refused?: number[]
}

export type Accept = Move &
  Required<Pick<Move, 'seats' | 'add' | 'jokers' | 'joker_cards' | 'units' | 'disc' | 'refused'>>
export type Moves = Decision<Move>

/** Action number that lays a card of the first type, for an offer or an exchange; the other types follow. */
export const LAY = 25

export const sum = (counts: Counts | null | undefined): number =>
  Object.values(counts ?? {}).reduce((total, count) => total + count, 0)

/** A count of each type as a list of single cards. */
export const cardsOf = (counts: Counts | null | undefined): string[] =>
  Object.entries(counts ?? {}).flatMap(([card, count]) => Array.from({ length: count }, () => card))

/** What a disc asks for, as the log's words know it: "ship 5". */
export const needsOf = (needs: Counts): string[] => Object.entries(needs).map(([card, count]) => `${card} ${count}`)

export const same = (one: number[] | undefined, other: number[]): boolean =>
  one?.length === other.length && other.every((seat) => one.includes(seat))

/** The ways to build, cheapest first: cards from one's own hand, then jokers, then what it gives away in points. */
export function ways(decision: Moves): Accept[] {
  const cost = (one: Accept): number[] => [
    sum(one.add) + 2 * one.jokers,
    one.jokers,
    one.refused.reduce((total, points) => total + points, 0),
  ]
  return decision.legal
    .filter((one): one is Accept => one.type === 'accept')
    .sort((one, other) => {
      const [mine, theirs] = [cost(one), cost(other)]
      const at = mine.findIndex((value, nth) => value !== theirs[nth])
      return at < 0 ? 0 : mine[at]! - theirs[at]!
    })
}

/** Why these offers cannot be accepted together. */
export const whyNot = (decision: Moves, seats: number[]): Phrase | undefined =>
  decision.refusals.find(({ choice }) => choice.type === 'accept' && same(choice.seats, seats))?.reason

/** What giving up would give everybody whose offer counts. */
export const failing = (view: View): [seat: number, points: number][] =>
  view.builders
    .map(({ seat, offer }): [number, number] => [seat, seat === view.turn ? 0 : sum(offer?.cards) * view.refused])
    .filter(([, points]) => points > 0)

/** The numbers that the effect of an action card speaks of. */
export const effectOf = (card: string, view: View): Counts => ({
  count: card === 'draw' ? view.draw_cards : view.exchange_cards,
  points: card === 'triple_refusal' ? view.refused_triple : card === 'disc_bonus' ? view.disc_points : view.end_points,
  usual: view.refused,
})

/** How many discs of each kind: "camel", or "crane ship" for those of two colours. */
export function discsOf(builder: Builder): [types: string[], count: number][] {
  const found = new Map<string, number>()
  for (const types of builder.discs) found.set(types.join(' '), (found.get(types.join(' ')) ?? 0) + 1)
  return [...found].map(([types, count]): [string[], number] => [types.split(' '), count])
}

export const seatOf = (event: GameEvent): number => Number(event.args.seat ?? event.seat ?? -1)

/** "2 × camel, 1 × ship" */
export const countWords = (say: Speak, counts: Counts | null | undefined): string =>
  Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([card, count]) => say('label.count_of', { count, card }))
    .join(', ')

/** An offer in words, for those who do not see it. */
export function offerWords(say: Speak, { seat, offer }: Builder): string {
  if (!offer) return ''
  const title = say('label.offer_of', { seat })
  if (!offer.cards) return `${title}. ${say('label.face_down', { count: offer.count })}`
  return [
    title,
    countWords(say, offer.cards) || say('label.empty_offer'),
    offer.trade ? say('label.with_trade') : '',
    sum(offer.returned) ? say('label.returned', { cards: cardsOf(offer.returned) }) : '',
  ]
    .filter(Boolean)
    .join('. ')
}
