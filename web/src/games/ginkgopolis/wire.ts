// Written by `python scripts/web.py types` from the structs of src/ziggurat/games/ginkgopolis. Change those, not this.
import type { Choice as AnyChoice, Phrase } from '../../lib/wire'

export type Colour = 'red' | 'yellow' | 'blue'
export type Trigger = 'exploit' | 'urbanize' | 'construct'
export type Good = 'resource' | 'tile' | 'point'
export type Phase = 'draft' | 'choose' | 'good' | 'marker' | 'return'
export type Tone = 'gain' | 'cost' | 'plain' | 'warn'

/**
 * A building. `owner` is a seat or Hal's place; an owned building carries as many of its owner's resources as it is
 * high.
 */
export interface Building {
  x: number
  y: number
  colour: Colour
  number: number
  height: number
  owner: number | null
  site: boolean
}

export type Marker = { letter: string; x: number; y: number }

/** An owner's share of a district if the game ended now. */
export type Share = { owner: number; resources: number; points: number }

/** A district: adjacent buildings of one colour, by their places in `buildings`; the leader first. */
export type District = { colour: Colour; buildings: number[]; shares: Share[] }

/** The face of a card: what it gives. */
export interface Face {
  /** The action that it waits for; null for a card that counts at the end. */
  trigger: Trigger | null
  /** What it gives whenever that action is taken. */
  gains: Record<string, number>
  /** All of it in words. */
  effect: Phrase
  /** As many words as fit on the card, where there are no goods to draw. */
  short: Phrase | null
  /** What a character begins with. */
  start: Record<string, number> | null
}

/** A chosen card, laid down; what it is, is null while it is hidden from the viewer. */
export type Chosen = { card: string | null; tile: string | null; with_tile: boolean }

/**
 * A player, or Hal. What is behind the screen, or in the hand, is null unless the viewer may see it. `played` is what
 * was turned over last, in this round or the one before, with its tile even if that could not be paid for; `aside` the
 * card that expert Hal turned over and did not use; `worth` what each of the kept cards that count at the end would
 * give now.
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
  worth: Record<string, number>
  bonus: Record<Trigger, Record<Good, number>>
}

/** `faces` says what each building card and character in sight gives, by its token. */
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
  phase: Phase
  buildings: Building[]
  markers: Marker[]
  moving: string | null
  districts: District[]
  deck: number
  discard: number
  tiles: number
  depleted: number
  ending: boolean
  faces: Record<string, Face>
  builders: Builder[]
}

/** A character that is kept in the draft. */
export interface Pick extends AnyChoice {
  type: 'pick'
  character: string
}

/** The chosen card goes without a tile. */
export interface Alone extends AnyChoice {
  type: 'alone'
}

/** A tile goes on the chosen card. */
export interface Tile extends AnyChoice {
  type: 'tile'
  tile: string
}

/** Something that a card would cost or give. */
export type Line = { tone: Tone; text: Phrase }

/** What a card would do now, alone or with a tile. */
export interface Use {
  /** The tile, null for the card alone. */
  tile: string | null
  /** What is added to the card; null where the card says everything, because there is no tile. */
  step: Alone | Tile | null
  /** With a tile that cannot be paid for, `exploit`. */
  kind: Trigger
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
  /** Whether it would be the last resource: the end of the game. */
  last: boolean
  /** What the button says that plays it. */
  label: Phrase
  /** Everything that it would cost and give. */
  told: Line[]
}

/** A card of the hand, the building or the cell that it names, and what it would do now with each tile. */
export interface Card extends AnyChoice {
  type: 'card'
  card: string
  x: number
  y: number
  uses: Use[]
}

/** A token is given up for a new hand; so many are left now. */
export interface NewHand extends AnyChoice {
  type: 'new_hand'
  left: number
}

/** What an urbanization card alone brings. */
export interface Take extends AnyChoice {
  type: 'take'
  good: Good
}

/** The marker goes to a cell beside the new building. */
export interface Move extends AnyChoice {
  type: 'move'
  direction: string
  marker: string
  x: number
  y: number
}

/** The marker before or after it makes room: which one, and where it lies. */
export interface Shift extends AnyChoice {
  type: 'shift'
  side: string
  marker: string
  x: number
  y: number
}

/** The marker goes to another cell at the edge of the city. */
export interface MoveTo extends AnyChoice {
  type: 'move_to'
  place: number
  marker: string
  x: number
  y: number
}

/** A tile that is given back. */
export interface Return extends AnyChoice {
  type: 'return'
  tile: string
}

/** No more tiles are given back. */
export interface Done extends AnyChoice {
  type: 'done'
}

/** A legal action. */
export type Choice = Pick | Alone | Tile | Card | NewHand | Take | Move | Shift | MoveTo | Return | Done
