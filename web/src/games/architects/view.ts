/** What the server shows of this game. */
import type { GameEvent } from '../../lib/wire'
import type { Builder, Choice as Move } from './wire'

export type {
  Builder,
  Choice as Move,
  StageCost as Cost,
  TokenKind,
  View,
  WonderDeck as Pile,
  WonderKind as Plan,
} from './wire'

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

export const SOURCES = ['stages', 'cards', 'military', 'cat', 'tokens'] as const
export type Source = (typeof SOURCES)[number]

/** What may differ between moves of a type. */
export interface Fields {
  deck?: string
  side?: string
  token?: string
  stage?: number
  payment?: number
  cards?: string[]
  card?: string
  wonder?: string
  economy?: boolean
  engineering?: boolean
  forced?: boolean
}

export const fieldsOf = (move: Move): Fields => move as Fields

/** What has been touched so far: the part of a move that is already decided. */
export type PartialMove = Fields & { type: Move['type'] }

const key = (move: Move, field: keyof Fields): string => JSON.stringify(fieldsOf(move)[field] ?? null)

/** What is still to be decided about some moves: the first of these fields in which they differ. */
export function open(moves: Move[]): 'payment' | 'cards' | 'token' | 'deck' | null {
  const fields = ['payment', 'cards', 'token', 'deck'] as const
  return fields.find((field) => new Set(moves.map((move) => key(move, field))).size > 1) ?? null
}

/** Of each value of a field, the first move that has it. */
export function each<M extends Move>(moves: M[], field: keyof Fields): M[] {
  return moves.filter((move, at) => at === moves.findIndex((other) => key(other, field) === key(move, field)))
}

/** Everything that lies in front of a player, one entry a kind, in the order of the colours. */
export const laid = ({ cards }: Builder): [card: string, count: number][] =>
  CARDS.filter((card) => (cards[card] ?? 0) > 0).map((card) => [card, cards[card]!])

/** Several things that are to be said one after the other. */
export const inTurn = (...parts: (string | undefined)[]): string =>
  parts
    .filter(Boolean)
    .map((part) => part!.replace(/\.$/, ''))
    .join('. ')

export const numbers = (event: GameEvent, name: string): number[] => (event.args[name] as number[] | undefined) ?? []
