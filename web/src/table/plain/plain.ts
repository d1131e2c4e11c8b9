/**
 * What can be drawn of a game that has no board of its own: the fields of its view, sorted into what lies on the table and
 * what each seat has, and its choices by type. No rule is known here and no game; what a field means is in its name.
 */
import type { Speak } from '../../lib/i18n.svelte'
import type { Fact, Questions } from '../questions'
import type { Arg, Args, Choice, Phrase } from '../../lib/wire'
import { wordsOf } from '../words'

/** A number, a word or a phrase; null where a place of a list is empty, or hidden. */
type One = number | string | Phrase | null

export interface Field {
  name: string
  value: Value
}

export type Value =
  | { is: 'one'; one: One }
  /** What holds, and needs no more words than its name. */
  | { is: 'true' }
  | { is: 'seats'; seats: number[] }
  | { is: 'several'; all: One[] }
  /** How many of each; what there is none of is left out. */
  | { is: 'counts'; counts: [of: string, count: number][] }
  | { is: 'parts'; fields: Field[] }
  /** Structs, or lists; null for an empty place. */
  | { is: 'rows'; rows: (Field[] | null)[] }

/** What a seat has; a seat that nobody sits on may be a figure of the game's own. */
export interface Shown {
  seat: number
  points: number | null
  fields: Field[]
}

export interface Shows {
  /** Who decides now, where the view says it. */
  actors: number[] | null
  table: Field[]
  seats: Shown[]
}

/** What the page says otherwise: by marks at the players, and in the bar. */
const SAID = new Set(['game', 'players', 'seat', 'actors', 'turn', 'finished', 'winners'])
const POINTS = ['score', 'points']
const SEATS = /(^|_)seats?$/

type Struct = Record<string, unknown>

const isStruct = (value: unknown): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPhrase = (value: unknown): value is Phrase =>
  isStruct(value) && typeof value.key === 'string' && isStruct(value.args)
const isSeat = (value: unknown): value is number => Number.isInteger(value)
/** Whether a field holds the seat of somebody: its name says so. */
export const isSeatIn = (name: string, value: unknown): value is number => SEATS.test(name) && isSeat(value)
const isOne = (value: unknown): value is One =>
  value === null || ['number', 'string'].includes(typeof value) || isPhrase(value)

/** What is shown of a value; null for what is hidden or does not hold. */
function valueOf(name: string, value: unknown): Value | null {
  if (value === null || value === undefined || value === false) return null
  if (value === true) return { is: 'true' }
  if (isSeatIn(name, value)) return { is: 'seats', seats: [value] }
  if (isOne(value)) return { is: 'one', one: value }
  if (isStruct(value)) {
    const all = Object.entries(value)
    if (all.length > 0 && all.every(([, one]) => typeof one === 'number'))
      return { is: 'counts', counts: (all as [string, number][]).filter(([, count]) => count !== 0) }
    return { is: 'parts', fields: fieldsOf(value) }
  }
  const all = value as unknown[]
  if (SEATS.test(name) && all.length > 0 && all.every(isSeat)) return { is: 'seats', seats: all }
  if (all.every((one) => isOne(one) || typeof one === 'boolean'))
    return { is: 'several', all: all.map((one) => (typeof one === 'boolean' ? Number(one) : one)) as One[] }
  return {
    is: 'rows',
    rows: all.map((one) => (isStruct(one) && !isPhrase(one) ? fieldsOf(one) : one === null ? null : within(name, one))),
  }
}

/** A list in a list. */
const within = (name: string, value: unknown): Field[] => {
  const found = valueOf(name, value)
  return found ? [{ name: '', value: found }] : []
}

export function fieldsOf(struct: Struct, without: (name: string) => boolean = () => false): Field[] {
  return Object.entries(struct).flatMap(([name, value]) => {
    const found = without(name) ? null : valueOf(name, value)
    return found ? [{ name, value: found }] : []
  })
}

/** Whether a list has a struct for each of its seats. */
const isOfSeats = (value: unknown): value is (Struct & { seat: number })[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => isStruct(one) && isSeat(one.seat)) &&
  new Set(value.map((one: Struct) => one.seat)).size === value.length

/** Everything that a view shows. `players`: how many sit at the table. */
export function showsOf(view: unknown, players: number): Shows {
  const struct = isStruct(view) ? view : {}
  const seats = new Map<number, Shown>()
  const at = (seat: number): Shown => {
    const known = seats.get(seat) ?? { seat, points: null, fields: [] }
    seats.set(seat, known)
    return known
  }
  for (let seat = 0; seat < players; seat++) at(seat)
  // The richest list of structs is what the players have; another one is a part of it.
  const lists = Object.entries(struct).filter(([, value]) => isOfSeats(value)) as [
    string,
    (Struct & { seat: number })[],
  ][]
  const width = (all: Struct[]): number => Math.max(...all.map((one) => Object.keys(one).length))
  const main = lists.reduce<string | null>(
    (best, [name, all]) => (best === null || width(all) > width(struct[best] as Struct[]) ? name : best),
    null,
  )
  const taken = new Set(lists.map(([name]) => name))
  for (const [name, all] of lists)
    for (const one of all) {
      const fields = fieldsOf(one, (field) => field === 'seat' || (name === main && POINTS.includes(field)))
      const shown = at(one.seat)
      if (name !== main) shown.fields.push({ name, value: { is: 'parts', fields } })
      else {
        shown.points = POINTS.map((field) => one[field]).find((points) => typeof points === 'number') ?? null
        shown.fields.unshift(...fields)
      }
    }
  const { actors } = struct
  return {
    actors: Array.isArray(actors) && actors.every(isSeat) ? actors : null,
    table: fieldsOf(struct, (name) => SAID.has(name) || taken.has(name)),
    seats: [...seats.values()].sort((one, other) => one.seat - other.seat),
  }
}

/** `money_deck` as somebody would write it. */
export const readable = (name: string): string => name.replaceAll('_', ' ').trim()
const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** What a field, or a type of choice, is called: as the game's words say, or else by its own name. */
export function labelOf(say: Speak, name: string, parent = ''): string {
  const key = `field.${name}`
  if (say.has(key)) return say(key)
  return capital((parent && worded(say, [parent], name)) || readable(name))
}

/** A token in the words of the game, which has them by the name of a field, by that of one of several, or for all. */
function worded(say: Speak, names: string[], token: string): string | null {
  const space = token.indexOf(' ')
  const [word, rest] = space < 0 ? [token, ''] : [token.slice(0, space), token.slice(space)]
  const key = [...names.flatMap((name) => [name, name.replace(/s$/, '')]), 'word']
    .map((name) => `${name}.${word}`)
    .find((one) => say.has(one))
  return key === undefined ? null : say(key) + rest
}

/** What somebody reads of a value; `names`: of the field in which it stands, and of the one around that. */
export function wordOf(say: Speak, names: string[], one: One): string {
  if (one === null) return '–'
  if (typeof one === 'number') return String(one)
  return typeof one === 'string' ? (worded(say, names, one) ?? readable(one)) : say.phrase(one)
}

/** A small struct in a few words, without those of its fields: "orange 5"; null where these are needed. */
export function briefOf(say: Speak, name: string, fields: Field[]): string | null {
  const isNumber = ({ value }: Field): boolean => value.is === 'one' && typeof value.one === 'number'
  const numbers = fields.filter(isNumber).length
  if (numbers > 1 || numbers === fields.length || fields.length > 4) return null
  const words = fields.map((field) =>
    field.value.is === 'one'
      ? wordOf(say, [field.name, name], field.value.one)
      : field.value.is === 'parts'
        ? briefOf(say, field.name, field.value.fields)
        : null,
  )
  return words.includes(null) ? null : words.join(' ')
}

/** How many there are of something: "Tower 2", and of what is a number itself "2 × 7". */
export function countOf(say: Speak, name: string, of: string, count: number): string {
  const words = labelOf(say, of, name)
  return /^\d/.test(words) ? (count === 1 ? words : `${count} × ${words}`) : `${words} ${count}`
}

/** Arguments as they are: "blue 5"; `named`: with what each is, "cards blue 5, total 5". */
function listed(say: Speak, args: Args, named: boolean): string {
  const said = (name: string, arg: Arg): string =>
    Array.isArray(arg)
      ? arg.map((one) => said(name, one)).join(' ')
      : wordOf(say, [name], typeof arg === 'boolean' ? null : arg)
  return Object.entries(args)
    .filter(([, arg]) => arg !== null && arg !== false)
    .map(([name, arg]) => {
      const label = labelOf(say, name).toLocaleLowerCase()
      return arg === true ? label : `${named ? `${label} ` : ''}${said(name, arg)}`
    })
    .join(named ? ', ' : ' ')
}

/** A phrase for which the game has no words: the last one of its key, and its arguments; of an event also whose it is. */
export function spelled(say: Speak, name: (seat: number) => string, { key, args }: Phrase): string {
  const [head, ...rest] = key.split('.')
  const what = readable(rest.filter((word) => !['own', 'nobody'].includes(word)).at(-1) ?? head!)
  const { seat, ...others } = args
  const told = listed(say, others, head === 'log')
  if (head !== 'log') return `${what} ${told}`.trim()
  return capital(`${typeof seat === 'number' ? `${name(seat)}: ` : ''}${what}${told && ` (${told})`}.`)
}

/** A choice in the words of the game; where it has none, as it is written. */
export function choiceOf(say: Speak, choice: Choice): string {
  const words = wordsOf(choice)
  return capital(say.has(words.key) ? say.phrase(words) : choice.notation)
}

/** What goes together: of one type, or also with one value of a field. */
const parted = <Key>(choices: Choice[], key: (choice: Choice) => Key): [Key, Choice[]][] =>
  [...new Set(choices.map(key))].map((one) => [one, choices.filter((choice) => key(choice) === one)])

/** So many choices are found at a glance. */
const FEW = 12

export interface Group {
  type: string
  /** The field by which many are parted, and the choices by its values; of few, or what no field parts, all are one. */
  by: string
  parts: [value: One, choices: Choice[]][]
}

/** Choices by their types, in the order in which the types come; many of a type by the first field that parts them. */
export function grouped(choices: Choice[]): Group[] {
  return parted(choices, ({ type }) => type).map(([type, all]) => {
    const { action: _action, type: _type, notation: _notation, ...fields } = all[0]!
    for (const by of all.length > FEW ? Object.keys(fields) : []) {
      const parts = parted(all, (choice) => (choice as unknown as Record<string, unknown>)[by])
      if (parts.length > 1 && parts.length <= all.length / 2 && parts.every(([value]) => isOne(value)))
        return { type, by, parts: parts as Group['parts'] }
    }
    return { type, by: '', parts: [[null, all]] }
  })
}

/** What can be asked at the table of a game that answers nothing itself: what every table knows. */
export const questions: Questions = {
  facts: [] as Fact[],
  moves: [],
  quiet: [],
  points: (view, seat) => showsOf(view, 0).seats.find((one) => one.seat === seat)?.points ?? null,
}
