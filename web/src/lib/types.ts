/** What travels over the wire: the server's structs, as TypeScript sees them. */

export type Arg = number | string | string[] | number[] | boolean | null | Phrase | Phrase[]
export type Args = Record<string, Arg>

export interface Phrase {
  key: string
  args: Args
}

export interface GameEvent {
  type: string
  seat: number | null
  args: Args
}

/** One step that may be played now. A game adds fields of its own. */
export interface Choice {
  action: number
  type: string
  notation: string
}

/** A step that a player may try although it is not possible now, and why it is not. */
export interface Refusal<C extends Choice = Choice> {
  choice: C
  reason: Phrase
}

export interface Decision<C extends Choice = Choice> {
  /** What is asked; of whoever waits, what for, if there is more to say than for whom. */
  ask: Phrase | null
  legal: C[]
  refusals: Refusal<C>[]
  /** The one legal step is no decision: it is played by itself. */
  forced: boolean
}

export interface Preview<C extends Choice = Choice> {
  ask: Phrase
  /** Steps that may be appended. */
  add: C[]
  /** Steps that would complete the move. */
  confirm: { action: number; label: Phrase }[]
  say: Phrase[]
  /** Whether what it would do is worth pointing out. */
  good: boolean
  /** A sensible choice of further steps, without the finishing one. */
  suggest: C[] | null
}

/** A whole move: as it is written, in words, and step by step. */
export interface Description {
  notation: string
  words: Phrase
  steps: Choice[]
}

export type SeatKind = 'human' | 'bot' | 'open'

export interface SeatInfo {
  seat: number
  kind: SeatKind
  name: string
  /** Which program sits here, or plays for a person who is gone. */
  bot: string | null
  you: boolean
  online: boolean
  /** Left a running game; opening the table again brings them back. */
  away: boolean
  /** Who wants a bot to play for this person, as long as not everybody does. */
  agreed: number[]
}

export interface TableInfo {
  id: string
  game: string
  status: 'waiting' | 'playing' | 'finished'
  seats: SeatInfo[]
  you: number | null
  host: boolean
  options: Record<string, string>
  pace: Pace
  /** Whether people may ask what a Master would do. */
  hints: boolean
  components_default: boolean
  components_digest: string
  /** Begun from a scenario file: nobody shuffled. */
  laid: boolean
  seq: number
  seed_hash: string | null
  seed: string | null
  salt: string | null
  rematch: string | null
  actors: number[]
  scores: number[] | null
  winners: number[] | null
  created: string
  updated: string
  invite: string | null
  /** Why a running game cannot go on, if it cannot. */
  trouble: string | null
}

export type Pace = 'instant' | 'calm'

export interface OptionInfo {
  name: string
  choices: string[]
  default: string
  players: [number, number] | null
}

export interface GameInfo {
  id: string
  min_players: number
  max_players: number
  options: OptionInfo[]
  bots: string[]
  version: string
}

export interface Me {
  /** null: a browser that the server does not know yet. */
  id: string | null
  name: string
  language: string
}

export interface SeatWish {
  kind: 'me' | 'open' | 'bot'
  bot?: string
}

export interface NewTable {
  game: string
  seats: SeatWish[]
  options?: Record<string, string>
  components?: string
  pace?: Pace
  hints?: boolean
  start?: boolean
}

export interface Frame<V = unknown> {
  seq: number
  seat: number | null
  notation: string
  events: GameEvent[]
  view: V
}

/** A move that a search would make, and every seat's chance of winning after it. */
export interface Advice {
  move: Description
  chances: number[]
}

/** A move that was made beside the one that a search would have made. */
export interface Judgement {
  seat: number
  move: Description
  chances: number[]
  best: Advice
  /** How much less the chance of whoever moved is than after `best`. */
  cost: number
}

export interface Problem {
  type?: string
  title: string
  status: number
  detail: string
  code?: string
  args?: Args
}

export interface Undo {
  by: number
  ask: boolean
}

export interface Update {
  type: 'update'
  seq: number
  from: number
  table: TableInfo
  view: unknown
  decision: Decision
  events: GameEvent[]
  undo: Undo | null
  can_undo: 'free' | 'ask' | null
}

export type ServerMessage =
  | Update
  | { type: 'ack'; id: string; seq: number }
  | { type: 'preview'; id: string; seq: number; preview: Preview }
  | { type: 'hint'; id: string; seq: number; advice: Advice }
  | { type: 'error'; id: string | null; code: string; detail: string; args: Args }
  | { type: 'pong' }
  | { type: 'presence'; online: number[] }
  | { type: 'thinking'; seat: number }
