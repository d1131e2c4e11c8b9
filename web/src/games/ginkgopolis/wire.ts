// Written by `python scripts/web.py types` from the structs of src/ziggurat/games/ginkgopolis. Change those, not this.
import type { Choice as AnyChoice, Decision as AnyDecision, Preview as AnyPreview } from '../../lib/wire'

/** `owner` is a seat or Hal's place; an owned building carries as many of its owner's resources as it is high. */
export interface Building {
  x: number
  y: number
  colour: string
  number: number
  height: number
  owner: number | null
  site: boolean
}

export interface Marker {
  letter: string
  x: number
  y: number
}

/** What an owner would get for a district if the game ended now. */
export interface Share {
  owner: number
  resources: number
  points: number
}

/** Adjacent buildings of one colour, by their places in `buildings`; the leader first. */
export interface District {
  colour: string
  buildings: number[]
  shares: Share[]
}

/** A card laid down; what it is, is null while it is hidden from the viewer. */
export interface Chosen {
  card: string | null
  tile: string | null
  with_tile: boolean
}

/**
 * A player, or Hal. What is behind the screen, or in the hand, is null unless the viewer may see it. `played` is what
 * was turned over last, in this round or the one before, with its tile even if that could not be paid for; `aside` the
 * card that expert Hal turned over and did not use.
 */
export interface Builder {
  seat: number
  hal: boolean
  resources: number
  supply: number
  points: number | null
  tiles: string[] | null
  tile_count: number
  hand: string[] | null
  cards: number
  known: string[]
  chosen: Chosen | null
  played: Chosen | null
  aside: string | null
  new_hands: number
  characters: string[]
  draft: string[] | null
  kept: string[]
  bonus: Record<string, Record<string, number>>
}

export interface View {
  game: string
  players: number
  seat: number | null
  actors: number[]
  turn: number
  first: number
  round: number
  finished: boolean
  winners: number[]
  phase: string
  buildings: Building[]
  markers: Marker[]
  moving: string | null
  districts: District[]
  deck: number
  discard: number
  tiles: number
  depleted: number
  ending: boolean
  numbers: unknown
  builders: Builder[]
}

/** What a card would do now, alone or with a tile. */
export interface Use {
  /** The tile, null for the card alone. */
  tile: string | null
  /** `exploit`, `urbanize` or `construct`; with a tile that cannot be paid for, `exploit`. */
  kind: string
  /** Whether the tile can be paid for. */
  payable: boolean
  /** Goods from the yield and from the player's own cards; of `either` one resource or one tile. */
  gains: Record<string, number>
  /** Resources (those that are placed and those that are paid) and points. */
  costs: Record<string, number>
  /** Own resources that come back from the building. */
  back: number
  /** Whose building would be covered, if somebody else's; they get their resources and as many points. */
  owner: number | null
}

/** A card of the hand, the building or the cell that it names, and what it would do now with each tile. */
export interface CardChoice extends AnyChoice {
  card: string
  x: number
  y: number
  uses: Use[]
}

export interface TileChoice extends AnyChoice {
  tile: string
}

export interface CharacterChoice extends AnyChoice {
  character: string
}

export interface GoodChoice extends AnyChoice {
  good: string
}

/** Where the marker may go, or (`shift`) from where another one makes room. */
export interface CellChoice extends AnyChoice {
  x: number
  y: number
}

/** A legal action. */
export type Choice = AnyChoice | CardChoice | TileChoice | CharacterChoice | GoodChoice | CellChoice
export type Decision = AnyDecision<Choice>
export type Preview = AnyPreview<Choice>
