/** What is agreed at a table, as it is chosen before a game: options, clock, hints, and who may join, watch and talk. */
import type { SetUp } from './games'
import type { GameInfo, OptionInfo, Pace, TableInfo, TablePolicy, Terms, TimeControl } from '../lib/wire'

export interface Chosen {
  options: Record<string, string>
  /** Orders of the seats, by option. */
  orders: Record<string, number[]>
  pace: Pace
  /** Null: nobody has said whether hints are allowed. */
  hints: boolean | null
  /** Seconds of absence after which a bot may play for a player, as somebody has chosen; `patienceOf` says which count. */
  patience: string
  /** Null: nobody is in a hurry. */
  time: TimeControl | null
  policy: Agreement
}

const found = import.meta.glob<SetUp>('../games/*/setUp.ts', { import: 'default', eager: true })

/** What the page has to know of a game's options. */
export const setUpOf = (game: string): SetUp | undefined => found[`../games/${game}/setUp.ts`]

/** What people agree on of a policy. */
export type Agreement = Required<Omit<TablePolicy, 'out'>>

export const policyOf = (policy: Omit<TablePolicy, 'out'> = {}): Agreement => ({
  join: 'invited',
  watch: 'link',
  talk: 'free',
  terms: null,
  programs: false,
  counted: true,
  ...policy,
})

/** Seconds of absence after which a bot may play for a player: the choices at a pace, the usual one first; none by days. */
const PATIENCE = { live: ['60', '120', '300'], evening: ['300', '120', '900'], days: [] }

/** What can be chosen at the pace, the shortest first, with what somebody has chosen before. */
export function patiences({ time, patience }: Pick<Chosen, 'time' | 'patience'>): string[] {
  const known: string[] = PATIENCE[time?.kind ?? 'evening']
  const all = known.length && patienceOf({ time, patience }) === patience ? [...known, patience] : known
  return [...new Set(all)].sort((one, other) => Number(one) - Number(other))
}

/** The patience that counts: what is too short for the pace gives way to the usual. Null: by days nobody is taken over. */
export function patienceOf({ time, patience }: Pick<Chosen, 'time' | 'patience'>): string | null {
  const known: string[] = PATIENCE[time?.kind ?? 'evening']
  const least = Math.min(...known.map(Number))
  return Number(patience) >= least ? patience : (known[0] ?? null)
}

/** The usual terms of a game. */
export function usual(info: GameInfo): Chosen {
  const options = Object.fromEntries(info.options.map((option) => [option.name, option.default]))
  return { options, orders: {}, pace: 'calm', hints: null, patience: '', time: null, policy: policyOf() }
}

/** The terms of a table. */
export function termsOf(info: GameInfo, table: TableInfo): Chosen {
  const { pace, hints, patience, time, policy } = table
  const orders = Object.fromEntries(
    Object.entries(table.options)
      .map(([name, value]): [string, number[]] => [name, value.split(',').map((seat) => Number(seat) - 1)])
      .filter(([, order]) => order.length > 1 && order.every(Number.isInteger)),
  )
  return {
    options: { ...usual(info).options, ...table.options },
    orders,
    pace,
    hints,
    patience: String(patience),
    time: time?.control ?? null,
    policy: policyOf(policy),
  }
}

/** Whether an option counts for so many players. */
export const applies = ({ players: range }: OptionInfo, players: number): boolean =>
  !range || (players >= range[0] && players <= range[1])

/** The options that have a list of choices. */
export const offered = (info: GameInfo, players: number): OptionInfo[] =>
  info.options.filter((option) => applies(option, players) && option.choices.length > 0)

/** The options that are an order of the seats, where it matters. */
export const ordered = (info: GameInfo, chosen: Chosen): OptionInfo[] =>
  info.options.filter((option) => setUpOf(info.id)?.orders?.[option.name]?.(chosen.options))

/** The order chosen for an option, as long as it names everybody. */
export const orderOf = (chosen: Chosen, option: string, players: number): number[] =>
  chosen.orders[option]?.length === players ? chosen.orders[option] : Array.from({ length: players }, (_, at) => at)

/** The options as the server is told them. */
function optionsOf(info: GameInfo, chosen: Chosen, players: number): Record<string, string> {
  const options = Object.fromEntries(
    offered(info, players)
      .map(({ name }): [string, string] => [name, chosen.options[name] ?? ''])
      .filter(([, value]) => value !== ''),
  )
  for (const { name } of ordered(info, chosen))
    options[name] = orderOf(chosen, name, players)
      .map((seat) => seat + 1)
      .join(',')
  return options
}

/** The terms as the server is told them. `hints`: whether they are allowed where nobody has said so. */
export function told(info: GameInfo, chosen: Chosen, players: number, hints: boolean, zone: string): Required<Terms> {
  const { pace, time, policy } = chosen
  const patience = patienceOf(chosen)
  return {
    options: optionsOf(info, chosen, players),
    pace,
    hints: chosen.hints ?? hints,
    patience: patience === null ? null : Number(patience),
    time,
    zone: time ? zone : '',
    policy,
  }
}

/** Whose settings the next table that is set up begins with, if it is of the same game. */
let model: TableInfo | null = null

export function like(table: TableInfo): void {
  model = table
}

export function takeModel(game: string): TableInfo | null {
  const found = model?.game === game ? model : null
  model = null
  return found
}
