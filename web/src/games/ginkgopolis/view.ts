/** What the server shows of this game. */
import type { Speak } from '../../lib/i18n.svelte'
import type { Choice, Decision, GameEvent } from '../../lib/wire'

export const COLOURS = ['red', 'yellow', 'blue'] as const
export const TRIGGERS = ['exploit', 'urbanize', 'construct'] as const
export const GOODS = ['resource', 'tile', 'point'] as const

export type Colour = (typeof COLOURS)[number]
export type Trigger = (typeof TRIGGERS)[number]
export type Good = (typeof GOODS)[number]
/** Of each good so many; of `either` a resource or a tile. */
export type Gains = Partial<Record<Good | 'either', number>>

/** A place in the city; y grows to the north. */
export interface At {
  x: number
  y: number
}

/** An owned building carries as many of its owner's resources as it is high. */
export interface Building extends At {
  colour: Colour
  number: number
  height: number
  owner: number | null
  /** Built since the deck was last made: its card is not in it yet. */
  site: boolean
}

export interface Marker extends At {
  letter: string
}

export interface Share {
  owner: number
  resources: number
  points: number
}

export interface District {
  colour: Colour
  /** Places in `buildings`. */
  buildings: number[]
  /** The leader first. */
  shares: Share[]
}

/** A card laid down; null while it lies face down for whoever looks. */
export interface Chosen {
  card: string | null
  tile: string | null
  with_tile: boolean
}

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
  bonus: Record<Trigger, Record<Good, number>>
}

interface Numbers {
  triggers: Trigger[]
  own_good: number[]
  extra_points: number[]
  end: {
    colours_red: Colour[]
    colours_yellow: Colour[]
    colours_blue: Colour[]
    resource: number
    low: { height: number; points: number }
    high: { height: number; points: number }
    trigger: number
    colour: number
    fixed: number
  }
  characters: Record<Colour, Record<Trigger, Record<Good | 'copies', number>>>
  points: { unused_new_hand: number; returned_tile: number }
}

export interface View {
  players: number
  seat: number | null
  actors: number[]
  turn: number
  first: number
  round: number
  finished: boolean
  winners: number[]
  phase: 'draft' | 'choose' | 'good' | 'marker' | 'return'
  buildings: Building[]
  markers: Marker[]
  /** The marker that has to go somewhere. */
  moving: string | null
  districts: District[]
  deck: number
  discard: number
  tiles: number
  depleted: number
  ending: boolean
  numbers: Numbers
  builders: Builder[]
}

/** What a card would do now, alone or with a tile. */
export interface Use {
  tile: string | null
  kind: Trigger
  payable: boolean
  gains: Gains
  costs: Gains
  /** Own resources that come back from the building. */
  back: number
  /** Whose building would be covered, if somebody else's. */
  owner: number | null
}

export interface Move extends Choice {
  type: 'pick' | 'card' | 'tile' | 'alone' | 'new_hand' | 'take' | 'move' | 'shift' | 'return' | 'done'
  // card: with the building or the marker that it names
  card?: string
  uses?: Use[]
  // card, move, shift
  x?: number
  y?: number
  // tile, return
  tile?: string
  // pick
  character?: string
  // take
  good?: Good
}

export type CardMove = Move & Required<Pick<Move, 'card' | 'uses' | 'x' | 'y'>>
export type Moves = Decision<Move>

/** An urbanization card has a letter, a building card a colour and a number. */
export const isLetter = (card: string): boolean => card.length === 1

/** "red 5" as its colour and its number. */
export function tileOf(token: string): { colour: Colour; number: number } {
  const [colour, number] = token.split(' ')
  return { colour: colour as Colour, number: Number(number) }
}

/** "red exploit" as its colour and its trigger. */
export function characterOf(token: string): { colour: Colour; trigger: Trigger } {
  const [colour, trigger] = token.split(' ')
  return { colour: colour as Colour, trigger: trigger as Trigger }
}

export const GOOD_OF: Record<Colour, Good> = { red: 'resource', yellow: 'point', blue: 'tile' }

export const same = (one: At | null | undefined, other: At | null | undefined): boolean =>
  !!one && !!other && one.x === other.x && one.y === other.y

export const buildingAt = (view: View, at: At): Building | undefined => view.buildings.find((one) => same(one, at))

/** The building or the marker that a card names. */
export function placeOf(view: View, card: string): At | undefined {
  if (isLetter(card)) return view.markers.find(({ letter }) => letter === card)
  const { colour, number } = tileOf(card)
  return view.buildings.find((one) => one.colour === colour && one.number === number)
}

export const seatOf = (event: GameEvent): number => Number(event.args.seat ?? event.seat ?? -1)

/** "2 tiles, 1 point": each good with its count. */
export function gainsWords(say: Speak, gains: Gains): string {
  const words = (['either', ...GOODS] as const)
    .filter((good) => gains[good])
    .map((good) =>
      good === 'either' && gains[good]! > 1
        ? say('gain.either.many', { count: gains[good]! })
        : say(`gain.${good}`, { count: gains[good]! }),
    )
  return words.join(', ') || say('gain.nothing')
}

// --- What cards give -------------------------------------------------------------------------------------------------

export interface Bonus {
  trigger: Trigger
  gains: Gains
}

/** What a building card gives whenever its action is taken; null for the cards that count at the end. */
export function bonusOf(view: View, card: string): Bonus | null {
  const { colour, number } = tileOf(card)
  const { triggers, own_good, extra_points } = view.numbers
  const trigger = triggers[number - 1]
  if (!trigger) return null
  const gains: Gains = { [GOOD_OF[colour]]: own_good[number - 1] }
  const extra = extra_points[number - 1] ?? 0
  if (extra) gains.point = (gains.point ?? 0) + extra
  return { trigger, gains }
}

/** What a character gives whenever its action is taken. */
export function characterBonus(token: string): Bonus {
  const { colour, trigger } = characterOf(token)
  return { trigger, gains: { [GOOD_OF[colour]]: 1 } }
}

export interface Formula {
  key: string
  args: Record<string, string | number>
  /** What it would give its owner now. */
  now: (builder: Builder) => number
}

/** What a card from 10 to 20 counts at the end; null for the others. */
export function formulaOf(view: View, card: string): Formula | null {
  const { colour, number } = tileOf(card)
  const { end, triggers } = view.numbers
  const nth = number - triggers.length - 1
  if (nth < 0) return null
  const own = ({ seat }: Builder): Building[] => view.buildings.filter(({ owner }) => owner === seat)
  const target = end[`colours_${colour}`][nth]
  if (target) {
    return {
      key: 'formula.resources_on_colour',
      args: { points: end.resource, colour: target },
      now: (builder) =>
        end.resource *
        own(builder)
          .filter((one) => one.colour === target)
          .reduce((sum, { height }) => sum + height, 0),
    }
  }
  switch (number) {
    case 14:
      return {
        key: 'formula.low_buildings',
        args: { ...end.low },
        now: (builder) => end.low.points * own(builder).filter(({ height }) => height <= end.low.height).length,
      }
    case 15:
      return {
        key: 'formula.high_buildings',
        args: { ...end.high },
        now: (builder) => end.high.points * own(builder).filter(({ height }) => height >= end.high.height).length,
      }
    case 16:
    case 17:
    case 18: {
      const trigger = TRIGGERS[number - 16]!
      return {
        key: 'formula.cards_by_trigger',
        args: { points: end.trigger, trigger },
        now: ({ characters, kept }) =>
          end.trigger *
          (characters.filter((one) => characterOf(one).trigger === trigger).length +
            kept.filter((one) => bonusOf(view, one)?.trigger === trigger).length),
      }
    }
    case 19:
      return {
        key: 'formula.cards_by_colour',
        args: { points: end.colour, colour },
        now: ({ characters, kept }) =>
          end.colour * [...characters, ...kept].filter((one) => one.startsWith(`${colour} `)).length,
      }
    default:
      return { key: 'formula.fixed', args: { points: end.fixed }, now: () => end.fixed }
  }
}

// --- What a use would do, in words -----------------------------------------------------------------------------------

/** Action numbers: the card alone; the first tile is one more. */
export const ALONE = 81

/** The action that adds a tile to a card. */
export function tileAction(token: string): number {
  const { colour, number } = tileOf(token)
  return ALONE + COLOURS.indexOf(colour) * 20 + number
}

/** What the yield gives, without what the player's own cards add. */
export function yieldOf({ gains, kind }: Use, { bonus }: Builder): Gains {
  return Object.fromEntries(
    Object.entries(gains)
      .map(([good, count]): [string, number] => [good, count - (bonus[kind][good as Good] ?? 0)])
      .filter(([, count]) => count > 0),
  )
}

/** What another colour costs goes back to the supply. */
const repaid = (card: string, { kind, tile }: Pick<Use, 'kind' | 'tile'>): number =>
  Number(kind === 'construct' && tile !== null && tileOf(card).colour !== tileOf(tile).colour)

/** Whether nothing would be left of one's resources: the end of the game. */
export function isLast(card: string, { kind, tile, costs, back }: Use, { resources, supply }: Builder): boolean {
  if (kind === 'exploit') return false
  return resources + back - (costs.resource ?? 0) === 0 && supply + repaid(card, { kind, tile }) === 0
}

export interface Told {
  text: string
  tone: 'gain' | 'cost' | 'plain' | 'warn'
}

/** Everything that a use would cost and give, line by line. */
export function tell(say: Speak, view: View, builder: Builder, card: string, use: Use): Told[] {
  const told: Told[] = []
  const add = (tone: Told['tone'], text: string): void => void told.push({ tone, text })
  const { kind, tile, costs, back, owner } = use
  if (tile && !use.payable) add('warn', say('use.unpayable.help'))
  if (kind === 'urbanize') add('cost', say('use.places', { count: costs.resource ?? 0 }))
  if (kind === 'construct' && tile) {
    const { height } = buildingAt(view, placeOf(view, card) ?? { x: 0, y: 0 }) ?? { height: 0 }
    if (back) add('gain', say('use.back', { count: back }))
    add('cost', say('use.places', { count: height + 1 }))
    if (repaid(card, use)) add('cost', say('use.colour'))
    if (costs.point) add('cost', say('use.lower', { count: costs.point }))
    if (owner !== null) add('warn', say('use.covers', { seat: owner, count: height }))
    else add('plain', say('use.height', { height: height + 1 }))
  }
  const gained = yieldOf(use, builder)
  const bonus = builder.bonus[kind]
  const own = GOODS.some((good) => bonus[good] > 0)
  if (Object.keys(gained).length) add('gain', say('use.gains', { gains: gainsWords(say, gained) }))
  if (own) add('gain', say('use.from_cards', { gains: gainsWords(say, bonus) }))
  if (kind !== 'construct' && !own && !Object.keys(gained).length) add('plain', say('use.gains_nothing'))
  if ((use.gains.tile ?? 0) > view.tiles || (use.gains.resource ?? 0) > builder.supply + repaid(card, use))
    add('warn', say('use.supply_short'))
  if (kind === 'construct') add('plain', say('use.keep', { effect: effectOf(say, view, card) }))
  if (isLast(card, use, builder)) add('warn', say('use.last_resource'))
  return told
}

/** What a building card does once it is kept. */
export function effectOf(say: Speak, view: View, card: string): string {
  const bonus = bonusOf(view, card)
  if (bonus) return say(`bonus.${bonus.trigger}`, { gains: gainsWords(say, bonus.gains) })
  const formula = formulaOf(view, card)
  return formula ? say(formula.key, formula.args) : ''
}

/** What a tile is called: "yellow 7, three storeys, Ada". */
export function buildingWords(say: Speak, { colour, number, height, owner }: Building): string {
  return owner === null
    ? say('label.building_free', { colour, number, height })
    : say('label.building', { colour, number, height, seat: owner })
}

// --- Cards on the table ----------------------------------------------------------------------------------------------

export type Groups = Record<Trigger, string[]> & { end: { token: string; formula: Formula; now: number }[] }

/** A tableau, characters first, by what its cards wait for. */
export function grouped(view: View, builder: Builder): Groups {
  const groups: Groups = { exploit: [], urbanize: [], construct: [], end: [] }
  for (const token of builder.characters) groups[characterOf(token).trigger].push(token)
  for (const token of builder.kept) {
    const bonus = bonusOf(view, token)
    const formula = formulaOf(view, token)
    if (bonus && !builder.hal) groups[bonus.trigger].push(token)
    else if (formula) groups.end.push({ token, formula, now: formula.now(builder) })
  }
  return groups
}

/** What somebody has laid down, in words. */
export function laidWords(say: Speak, { chosen, played, hal }: Builder): string {
  if (chosen && chosen.card === null) return say(chosen.with_tile ? 'label.chosen_hidden_tile' : 'label.chosen_hidden')
  const laid = chosen ?? played
  if (!laid?.card) return say(hal ? 'hal.card_hidden' : 'label.still_choosing')
  const words = say(chosen ? 'label.card' : 'label.played', { card: laid.card })
  return `${words}, ${laid.tile ? say('label.with_tile', { tile: laid.tile }) : say('label.alone')}`
}
