/** What the server shows of this game, and what a board makes of it. */
import type { Speak } from '../../lib/i18n.svelte'
import type { Builder, Building, Colour, Trigger, View } from './wire'

export type * from './wire'
export type { Choice as Step } from './wire'

export const TRIGGERS = ['exploit', 'urbanize', 'construct'] as const
export const GOODS = ['resource', 'tile', 'point'] as const

/** Of each good so many; of `either` a resource or a tile. */
export type Gains = Record<string, number>

/** A place in the city; y grows to the north. */
export interface At {
  x: number
  y: number
}

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

export const same = (one: At | null | undefined, other: At | null | undefined): boolean =>
  !!one && !!other && one.x === other.x && one.y === other.y

export const buildingAt = (view: View, at: At): Building | undefined => view.buildings.find((one) => same(one, at))

/** The building or the marker that a card names. */
export function placeOf(view: View, card: string): At | undefined {
  if (isLetter(card)) return view.markers.find(({ letter }) => letter === card)
  const { colour, number } = tileOf(card)
  return view.buildings.find((one) => one.colour === colour && one.number === number)
}

/** "2 tiles, 1 point": each good with its count. */
export function gainsWords(say: Speak, gains: Gains): string {
  const words = (['either', ...GOODS] as const)
    .filter((good) => gains[good])
    .map((good) => say(`gain.${good}`, { count: gains[good]! }))
  return words.join(', ') || say('gain.nothing')
}

/** What a tile is called: "yellow 7, three storeys, Ada". */
export function buildingWords(say: Speak, { colour, number, height, owner }: Building): string {
  return owner === null
    ? say('label.building_free', { colour, number, height })
    : say('label.building', { colour, number, height, seat: owner })
}

// --- Cards on the table ----------------------------------------------------------------------------------------------

type Groups = Record<Trigger | 'end', string[]>

/** A tableau, characters first, by what its cards wait for; of Hal's cards only those count that do at the end. */
export function grouped(view: View, { characters, kept, hal }: Builder): Groups {
  const groups: Groups = { exploit: [], urbanize: [], construct: [], end: [] }
  for (const token of [...characters, ...kept]) {
    const trigger = view.faces[token]?.trigger
    if (trigger === null) groups.end.push(token)
    else if (trigger && !hal) groups[trigger].push(token)
  }
  return groups
}

/** What a player has laid down, in words. */
export function laidWords(say: Speak, { chosen, played, hal }: Builder): string {
  if (chosen && chosen.card === null) return say(chosen.with_tile ? 'label.chosen_hidden_tile' : 'label.chosen_hidden')
  const laid = chosen ?? played
  if (!laid?.card) return say(hal ? 'hal.card_hidden' : 'label.still_choosing')
  const words = say(chosen ? 'label.card' : 'label.played', { card: laid.card })
  return `${words}, ${laid.tile ? say('label.with_tile', { tile: laid.tile }) : say('label.alone')}`
}
