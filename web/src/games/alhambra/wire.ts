// Written by `python scripts/web.py types` from the structs of src/ziggurat/games/alhambra. Change those, not this.
import type { Choice as AnyChoice } from '../../lib/wire'

export type BuildingKind = 'pavilion' | 'seraglio' | 'arcades' | 'chambers' | 'garden' | 'tower'
export type Currency = 'yellow' | 'green' | 'blue' | 'orange'
export type Round = 'A' | 'B' | 'C'
export type Building = { kind: BuildingKind; price: number }
export type Slot = { currency: Currency; building: Building | null }
export type Money = { currency: Currency; value: number }

/**
 * A player, or the neutral third one. `hand` is null unless the viewer may see it; `known` is what everybody has seen
 * go into it, until as much was paid, and null unless the table remembers that.
 */
export interface Owner {
  seat: number
  neutral: boolean
  buildings: Record<BuildingKind, number>
  score: number
  cards: number
  hand: Money[] | null
  known: Money[] | null
}

export type Payment = { slot: number; cards: Money[]; total: number }

/** A type of building as printed: how many cards, their prices, the points of each scoring's places. */
export type Kind = { kind: BuildingKind; count: number; prices: number[]; points: Record<Round, number[]> }

export interface View {
  game: string
  players: number
  seat: number | null
  actors: number[]
  turn: number
  start: number
  finished: boolean
  winners: number[]
  neutral: number | null
  slots: Slot[]
  money: (Money | null)[]
  building_deck: number
  money_deck: number
  discard: number
  discards: Record<Currency, number[]>
  rounds_scored: Round[]
  owners: Owner[]
  paying: Payment | null
  kinds: Kind[]
  currencies: Currency[]
  take_limit: number
}

/** Open money is taken: where it lies, which cards those are, and what they make together. */
export interface Take extends AnyChoice {
  type: 'take'
  positions: number[]
  cards: string[]
  total: number
}

/** A purchase begins; it is paid card by card. The building is null where none lies. */
export interface Buy extends AnyChoice {
  type: 'buy'
  slot: number
  building: string | null
  currency: Currency
}

/** A card of the slot's currency is laid down, from the highest value to the lowest. */
export interface Pay extends AnyChoice {
  type: 'pay'
  value: number
}

/** The purchase is done. */
export interface Keep extends AnyChoice {
  type: 'keep'
}

/** The purchase is done, for the neutral player. */
export interface Give extends AnyChoice {
  type: 'give'
}

/** A legal action. */
export type Choice = Take | Buy | Pay | Keep | Give
