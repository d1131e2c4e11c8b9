/** What the server shows of this game. */
import type { Choice, Decision, GameEvent, Phrase } from '../../lib/wire'

export const COLOURS = {
  grey: ['wood', 'stone', 'brick', 'papyrus', 'glass'],
  yellow: ['coin'],
  green: ['compass', 'gear', 'tablet'],
  red: ['red0', 'red1', 'red2'],
  blue: ['vp3', 'vp2cat'],
} as const

export type Colour = keyof typeof COLOURS

const colours = Object.fromEntries(
  Object.entries(COLOURS).flatMap(([colour, cards]) => cards.map((card) => [card, colour])),
) as Record<string, Colour>

export const colourOf = (card: string): Colour => colours[card] ?? 'grey'
export const CARDS = Object.values(COLOURS).flat() as string[]

export interface Builder {
  seat: number
  wonder: string | null
  built: number[]
  available: number[]
  cards: Record<string, number>
  tokens: string[]
  military: number
  shields: number
  score: number
  tally: Record<Source, number>
}

export const SOURCES = ['stages', 'cards', 'military', 'cat', 'tokens'] as const
export type Source = (typeof SOURCES)[number]

export interface Cost {
  count: number
  relation: 'different' | 'identical'
}

export interface Plan {
  wonder: string
  levels: number[][]
  points: number[]
  effects: number[]
}

export interface Pile {
  wonder: string
  seat: number
  left: number
  top: string | null
}

export interface View {
  players: number
  seat: number | null
  actors: number[]
  turn: number
  start: number
  finished: boolean
  winners: number[]
  phase: 'choose' | 'draw' | 'act' | 'effect' | 'keep'
  wonders: Plan[]
  costs: Cost[]
  open_wonders: string[]
  decks: Pile[]
  central: { left: number; seen: string | null; known_by: number[] }
  discard: Record<string, number>
  conflict: { tokens: number; turned: number }
  offer: (string | null)[]
  stack: number
  cat: number | null
  military_left: number | null
  extras: string[]
  used: string[]
  looked: { deck: string; cards: string[] } | null
  card_points: Record<string, number>
  token_points: Record<string, number[]>
  military_points: number
  cat_points: number
  builders: Builder[]
}

export interface Move extends Choice {
  wonder?: string
  side?: Side
  deck?: string
  token?: string
  stage?: number
  cards?: string[]
  card?: string
  economy?: boolean
  engineering?: boolean
}

export type Side = 'left' | 'right' | 'central'
export type Moves = Decision<Move>

/** What has been touched so far: the part of a move that is already decided. */
export type Wish = Partial<Pick<Move, 'type' | 'wonder' | 'deck' | 'token' | 'stage' | 'card'>> & {
  /** Several cards, in one word: what a payment or a set consists of. */
  paid?: string
}

/** The cards of a choice, and how its coins and the relation are read, in one word. */
export const paid = ({ cards = [], economy, engineering }: Move): string =>
  [...cards, economy && '+economy', engineering && '+engineering'].filter(Boolean).join(' ')

export const fits = (move: Move, wish: Wish): boolean =>
  Object.entries(wish).every(
    ([key, value]) => value === undefined || (key === 'paid' ? paid(move) : move[key as keyof Move]) === value,
  )

/** What is still to be decided about some choices: the first of these fields in which they differ. */
export function open(moves: Move[]): 'paid' | 'token' | 'deck' | null {
  for (const field of ['paid', 'token', 'deck'] as const) {
    if (new Set(moves.map((move) => (field === 'paid' ? paid(move) : move[field]))).size > 1) return field
  }
  return null
}

/** Of each value of a field, the first choice that has it. */
export function each(moves: Move[], field: 'paid' | 'token' | 'deck' | 'stage' | 'type'): Move[] {
  const found = new Map<unknown, Move>()
  for (const move of moves) {
    const value = field === 'paid' ? paid(move) : move[field]
    if (!found.has(value)) found.set(value, move)
  }
  return [...found.values()]
}

/** The decks beside a seat: its own one lies on its left. */
export function beside(view: View, seat: number): { left?: Pile; right?: Pile } {
  const of = (owner: number): Pile | undefined => view.decks.find((deck) => deck.seat === owner)
  return { left: of(seat), right: of((seat + view.players - 1) % view.players) }
}

/** Everything that lies in front of somebody, one entry a kind, in the order of the colours. */
export const laid = ({ cards }: Builder): [card: string, count: number][] =>
  CARDS.filter((card) => (cards[card] ?? 0) > 0).map((card) => [card, cards[card]!])

/** Several things that are to be said one after the other. */
export const inTurn = (...parts: (string | undefined)[]): string =>
  parts
    .filter(Boolean)
    .map((part) => part!.replace(/\.$/, ''))
    .join('. ')

/** Why a choice like this is not possible, as the server says it. */
export function reasonFor(decision: Moves, wish: Wish): Phrase | undefined {
  return decision.refusals.find(({ choice }) => fits(choice, wish))?.reason
}

/** Pairs of neighbours who compared their shields: with two players there is only one. */
export function pairs(count: number): [number, number][] {
  return Array.from({ length: count === 2 ? 1 : count }, (_, at) => [at, (at + 1) % count])
}

export const numbers = (event: GameEvent, name: string): number[] => (event.args[name] as number[] | undefined) ?? []
