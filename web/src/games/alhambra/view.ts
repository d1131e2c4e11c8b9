/** What the server shows of this game. */
import type { Choice } from '../../lib/wire'

export interface Building {
  kind: string
  price: number
}

export interface Money {
  currency: string
  value: number
}

export interface Owner {
  seat: number
  neutral: boolean
  buildings: Record<string, number>
  score: number
  cards: number
  hand: Money[] | null
}

export type Round = 'A' | 'B' | 'C'
export const ROUNDS: Round[] = ['A', 'B', 'C']

export interface Kind {
  kind: string
  count: number
  prices: number[]
  points: Record<Round, number[]>
}

export interface View {
  players: number
  seat: number | null
  actors: number[]
  turn: number
  start: number
  finished: boolean
  winners: number[]
  neutral: number | null
  slots: { currency: string; building: Building | null }[]
  money: (Money | null)[]
  building_deck: number
  money_deck: number
  discard: number
  discards: Record<string, number[]>
  rounds_scored: string[]
  owners: Owner[]
  kinds: Kind[]
  currencies: string[]
  take_limit: number
}

interface Take extends Choice {
  type: 'take'
  positions: number[]
  cards: string[]
  total: number
}
interface Buy extends Choice {
  type: 'buy'
  slot: number
  building: string | null
  currency: string
}
interface Pay extends Choice {
  type: 'pay'
  value: number
}
interface Close extends Choice {
  type: 'keep' | 'give'
}
export type Step = Take | Buy | Pay | Close

export function building(token: string): Building {
  const [kind = '', price = '0'] = token.split(' ')
  return { kind, price: Number(price) }
}

export function money(token: string): Money {
  const [currency = '', value = '0'] = token.split(' ')
  return { currency, value: Number(value) }
}

/** Who owns the most of a kind: alone, or together with others. */
export function majority(owners: Owner[], owner: Owner, kind: string): 'alone' | 'tied' | null {
  const own = owner.buildings[kind] ?? 0
  const most = Math.max(...owners.map((one) => one.buildings[kind] ?? 0))
  if (own === 0 || own < most) return null
  return owners.filter((one) => (one.buildings[kind] ?? 0) === most).length > 1 ? 'tied' : 'alone'
}
