// Written by `python scripts/web.py types` from the structs of src/ziggurat/games/architects. Change those, not this.
import type { Choice as AnyChoice, Phrase } from '../../lib/wire'

export type Relation = 'different' | 'identical'
export type Phase = 'choose' | 'draw' | 'act' | 'effect' | 'keep'
export type Side = 'left' | 'right' | 'central'

/** A wonder as printed: stages by level from bottom to top, their points, the stages with its effect, and which. */
export type WonderKind = { wonder: string; levels: number[][]; points: number[]; effects: number[]; effect: Phrase }

export type StageCost = { count: number; relation: Relation }
export type WonderDeck = { wonder: string; seat: number; left: number; top: string | null }

/** The central deck. `seen` is the top card for those whom the cat has shown it, `known_by` their seats. */
export type CentralDeck = { left: number; seen: string | null; known_by: number[] }

/**
 * The conflict track. `battle`: there is one at the end of this turn. `pairs`: the seats that compare their shields in
 * it.
 */
export type ConflictTrack = { tokens: number; turned: number; battle: boolean; pairs: [number, number][] }

export type Looked = { deck: string; cards: string[] }

/** A progress token as printed: what it does, and its numbers. */
export type TokenKind = { effect: Phrase; numbers: number[] }

/** The points by where they come from; those of tokens as if the game ended now. */
export type Tally = { stages: number; cards: number; military: number; cat: number; tokens: number; total: number }

/** A player. `decks`: the wonders whose decks lie on the left and on the right; none before they are laid out. */
export interface Builder {
  seat: number
  wonder: string | null
  decks: string[]
  built: number[]
  available: number[]
  cards: Record<string, number>
  tokens: string[]
  military: number
  shields: number
  score: number
  tally: Tally
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
  phase: Phase
  wonders: WonderKind[]
  costs: StageCost[]
  open_wonders: string[]
  decks: WonderDeck[]
  central: CentralDeck
  discard: Record<string, number>
  conflict: ConflictTrack
  offer: (string | null)[]
  stack: number
  cat: number | null
  military_left: number | null
  extras: string[]
  used: string[]
  looked: Looked | null
  card_points: Record<string, number>
  tokens: Record<string, TokenKind>
  military_points: number
  builders: Builder[]
  ranking: number[]
}

/** The main draw: from which deck, and the card on top of it, `UNSEEN` where the player cannot see which it is. */
export interface Draw extends AnyChoice {
  type: 'draw'
  side: Side
  deck: string
  card: string
}

/** Another card, thanks to a progress token. `forced`: the turn cannot end without it. */
export interface Extra extends AnyChoice {
  type: 'extra'
  token: string
  side: Side
  deck: string
  card: string
  forced: boolean
}

/** A stage is built and paid for: with these cards, coins last, and perhaps with the help of tokens. */
export interface Build extends AnyChoice {
  type: 'build'
  stage: number
  payment: number
  cards: string[]
  economy: boolean
  engineering: boolean
  points: number
  forced: boolean
}

/** A set of symbols is turned in for a progress token. */
export interface Claim extends AnyChoice {
  type: 'claim'
  cards: string[]
  token: string
  forced: boolean
}

/** Babylon: a progress token. */
export interface TakeToken extends AnyChoice {
  type: 'take_token'
  token: string
}

/** Alexandria: the top card of any deck on the table. */
export interface TakeAny extends AnyChoice {
  type: 'take_any'
  deck: string
  card: string
}

/** Halicarnassus: the deck that is looked at. */
export interface Look extends AnyChoice {
  type: 'look'
  side: Side
  deck: string
}

/** Halicarnassus: the card that is kept. */
export interface Keep extends AnyChoice {
  type: 'keep'
  card: string
}

/** The effect of the own wonder takes place. */
export interface Accept extends AnyChoice {
  type: 'accept'
  wonder: string
}

/** The player does without it. */
export interface Decline extends AnyChoice {
  type: 'decline'
  wonder: string
}

/** The turn ends. */
export interface End extends AnyChoice {
  type: 'end'
}

/** The wonder to build, before the game. */
export interface ChooseWonder extends AnyChoice {
  type: 'choose_wonder'
  wonder: string
}

/** A legal action. */
export type Choice =
  | Draw
  | Extra
  | Build
  | Claim
  | TakeToken
  | TakeAny
  | Look
  | Keep
  | Accept
  | Decline
  | End
  | ChooseWonder
