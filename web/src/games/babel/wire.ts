// Written by `python scripts/web.py types` from the structs of src/ziggurat/games/babel. Change those, not this.
import type { Choice as AnyChoice, Phrase } from '../../lib/wire'

export type Phase = 'turn' | 'offer' | 'select' | 'refusal' | 'closing'

/** A wonder. `discs` says of each space what its disc asks for, null when it is taken; `units` go by seat. */
export type Wonder = { wonder: string; discs: (Record<string, number> | null)[]; units: number[] }

export type Chosen = { wonder: string; space: number; needs: Record<string, number> }
export type Row = { first: number; second: number }

/**
 * An offer: cards laid down, the trade card counted with them. The rest is null while it is face down for the viewer.
 * `returned` are cards that everybody saw at the reveal, and that did not fit.
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

/** The table. `effects` says of each action card what it does. */
export interface View {
  game: string
  players: number
  seat: number | null
  actors: number[]
  turn: number
  start: number
  finished: boolean
  winners: number[]
  phase: Phase
  types: string[]
  wonders: Wonder[]
  chosen: Chosen | null
  rows: Row[]
  row: number
  other: number
  light: Row
  bonus: number[]
  deck: number
  drawable: number
  discard: Record<string, number>
  action_deck: number
  actions_used: Record<string, number>
  effects: Record<string, Phrase>
  builders: Builder[]
}

/** Pass, and draw a card more than the others. */
export interface Pass extends AnyChoice {
  type: 'pass'
}

/** What has more to say than its name: `say` what it means for whoever does it, `others` what others get. */
export interface Told extends AnyChoice {
  say: Phrase[]
  others: Phrase[]
}

/** A disc is chosen, by its wonder and its space there, counted from 0; what it needs. */
export interface Choose extends Told {
  type: 'choose'
  wonder: string
  space: number
  needs: string[]
}

/** A card for an offer or an exchange, in the order of types. */
export interface Lay extends AnyChoice {
  type: 'lay'
  card: string
}

/** An offer, or an exchange, is complete: so many cards. */
export interface Commit extends AnyChoice {
  type: 'commit'
  count: number
}

/** An offer is complete: so many cards, and the trade card. */
export interface CommitTrade extends AnyChoice {
  type: 'commit_trade'
  count: number
}

/** Offers are accepted, counted from the left neighbour's, and the rest is paid in one of several ways. */
export interface Accept extends Told {
  type: 'accept'
  offers: number[]
  /** Jokers and what they stand for, in one number. */
  way: number
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
  /** The lower, the cheaper: cards from the hand, then jokers, then points that it gives away. */
  cost: number
}

/** The build is given up; `refused` are the points of every offer by seat. */
export interface Fail extends Told {
  type: 'fail'
  refused: number[]
}

/** An action card is played: which. */
export interface ActionCard extends AnyChoice {
  plays: string
}

/** The action card that exchanges cards; then the cards are named one by one. */
export interface Exchange extends ActionCard {
  type: 'exchange'
}

/** The action card that draws so many cards. */
export interface Draw extends ActionCard {
  type: 'draw'
  count: number
}

/** The action card with which a refused offer brings so many points. */
export interface Triple extends ActionCard {
  type: 'triple'
  points: number
}

/**
 * No action card is played: the turn ends, or a refused offer brings `points`, which a card could have raised or not.
 */
export interface Decline extends AnyChoice {
  type: 'decline'
  means: 'end_turn' | 'do_without' | 'go_on'
  points: number
}

/** The action card for a second turn. */
export interface Double extends ActionCard {
  type: 'double'
}

/** A legal action. */
export type Choice =
  | Pass
  | Choose
  | Lay
  | Commit
  | CommitTrade
  | Accept
  | Fail
  | Exchange
  | Draw
  | Triple
  | Decline
  | Double
