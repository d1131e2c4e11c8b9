// Written by `python scripts/web.py types` from the structs of src/ziggurat/games/babel. Change those, not this.
import type { Choice as AnyChoice, Decision as AnyDecision, Preview as AnyPreview } from '../../lib/wire'

/** `discs` says of each space what its disc asks for, null when it is taken; `units` go by seat. */
export interface Wonder {
  wonder: string
  discs: (Record<string, number> | null)[]
  units: number[]
}

export interface Chosen {
  wonder: string
  space: number
  needs: Record<string, number>
}

export interface Row {
  first: number
  second: number
}

/**
 * Cards laid down, the trade card counted with them. The rest is null while it is face down for the viewer. `returned`
 * are cards that everybody saw at the reveal, and that did not fit.
 */
export interface Offer {
  count: number
  cards: Record<string, number> | null
  trade: boolean | null
  returned: Record<string, number> | null
}

/** A player. `cards` counts the trade card; hand and action cards are null unless the viewer may see them. */
export interface Builder {
  seat: number
  score: number
  cards: number
  hand: Record<string, number> | null
  trade: boolean | null
  action_cards: number
  actions: Record<string, number> | null
  discs: string[][]
  offer: Offer | null
  units_left: number | null
}

export interface View {
  game: string
  players: number
  seat: number | null
  actors: number[]
  turn: number
  start: number
  finished: boolean
  winners: number[]
  phase: string
  types: string[]
  wonders: Wonder[]
  chosen: Chosen | null
  rows: Row[]
  row: number
  other: number
  light: Row
  bonus: number[]
  refused: number
  refused_triple: number
  deck: number
  drawable: number
  discard: Record<string, number>
  action_deck: number
  actions_used: Record<string, number>
  exchange_cards: number
  draw_cards: number
  disc_points: number
  end_points: number
  builders: Builder[]
}

/** `choose`: a disc by its wonder and its space, counted from 0. */
export interface DiscChoice extends AnyChoice {
  wonder: string
  space: number
}

/** A card for an offer or an exchange. */
export interface LayChoice extends AnyChoice {
  card: string
}

/** Offers that are accepted, and what that means. */
export interface AcceptChoice extends AnyChoice {
  /** Whose offers. */
  seats: number[]
  /** Cards that the active player adds, by type. */
  add: Record<string, number>
  /** Jokers that are used; `joker_cards` says for which cards they stand. */
  jokers: number
  joker_cards: Record<string, number>
  /** Units that every seat places. */
  units: number[]
  /** Who gets the disc. */
  disc: number
  /** Points of every refused offer by seat, without the action card. */
  refused: number[]
}

/** A legal action. */
export type Choice = AnyChoice | DiscChoice | LayChoice | AcceptChoice
export type Decision = AnyDecision<Choice>
export type Preview = AnyPreview<Choice>
