// Written by `python scripts/web.py types` from the structs of src/ziggurat/games/architects. Change those, not this.
import type { Choice as AnyChoice, Decision as AnyDecision, Preview as AnyPreview } from '../../lib/wire'

/** A wonder as printed: stages by level from bottom to top, their points, the stages with its effect. */
export interface WonderKind {
  wonder: string
  levels: number[][]
  points: number[]
  effects: number[]
}

export interface StageCost {
  count: number
  relation: string
}

export interface WonderDeck {
  wonder: string
  seat: number
  left: number
  top: string | null
}

/** `seen` is the top card for those whom the cat has shown it, `known_by` their seats. */
export interface CentralDeck {
  left: number
  seen: string | null
  known_by: number[]
}

export interface ConflictTrack {
  tokens: number
  turned: number
}

export interface Looked {
  deck: string
  cards: string[]
}

/** Points by where they come from; those of tokens as if the game ended now. */
export interface Tally {
  stages: number
  cards: number
  military: number
  cat: number
  tokens: number
}

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
  phase: string
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
  token_points: Record<string, number[]>
  military_points: number
  cat_points: number
  builders: Builder[]
}

export interface WonderChoice extends AnyChoice {
  wonder: string
}

export interface DrawChoice extends AnyChoice {
  side: string
  deck: string
}

export interface ExtraChoice extends AnyChoice {
  token: string
  side: string
  deck: string
}

/** A stage and its payment, coins last. */
export interface BuildChoice extends AnyChoice {
  stage: number
  cards: string[]
  economy: boolean
  engineering: boolean
}

export interface ClaimChoice extends AnyChoice {
  cards: string[]
  token: string
}

export interface TokenChoice extends AnyChoice {
  token: string
}

export interface DeckChoice extends AnyChoice {
  deck: string
}

export interface KeepChoice extends AnyChoice {
  card: string
}

/** A legal action. */
export type Choice =
  | AnyChoice
  | WonderChoice
  | DrawChoice
  | ExtraChoice
  | BuildChoice
  | ClaimChoice
  | TokenChoice
  | DeckChoice
  | KeepChoice
export type Decision = AnyDecision<Choice>
export type Preview = AnyPreview<Choice>
