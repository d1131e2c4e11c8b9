/** What this phone remembers of games with the box: who plays, what is counted, the evenings before. Nothing is sent. */
import { api } from '../../lib/api'
import * as kept from '../../lib/kept'
import { gameModules } from '../../table/games'
import { t } from '../../lib/i18n.svelte'
import { judge, type Pad, type Setting, type Typed } from '../../lib/pad'

const KEY = 'ziggurat.box'
/** Evenings that are kept; the oldest go. */
const EVENINGS = 2000
const NAME = 24

/** One game that was counted to its end. */
export interface Evening {
  id: string
  game: string
  /** When it was kept, as a date of ISO 8601. */
  at: string
  players: string[]
  points: number[]
  /** Places in `players`. */
  winners: number[]
}

export interface Own {
  name: string
  values: unknown
}

interface Ticking {
  /** Milliseconds of each player. */
  spent: number[]
  /** Whose time runs; null: nobody's. */
  running: number | null
  /** Since when, by the phone's clock. */
  since: number
  /** Minutes for everybody; 0: as long as they like. */
  limit: number
}

interface SavedPad {
  players: number
  names: string[]
  options: Record<string, string>
  typed: Typed
  ticked: string[]
  own: Own | null
  begins: number | null
  timer: Ticking
}

const recall = <T>(name: string): T | null => kept.recall<T | null>(`${KEY}.${name}`, null)

/** Returns whether it was kept. */
const keep = (name: string, value: unknown): boolean => kept.keep(`${KEY}.${name}`, value)

/** The numbers as printed: of this phone where there is no connection, and the latest ones where there is. */
async function printedOf(game: string): Promise<unknown> {
  try {
    const { values } = await api.printed(game)
    keep(`printed.${game}`, values)
    return values
  } catch (error) {
    const known = recall<unknown>(`printed.${game}`)
    if (known === null) throw error
    return known
  }
}

/** Has the numbers of all games here before there is no connection. */
export async function keepPrinted(): Promise<void> {
  for (const { id } of gameModules) await printedOf(id).catch(() => undefined)
}

export class Box {
  players = $state(0)
  names = $state<string[]>([])
  options = $state<Record<string, string>>({})
  typed = $state<Typed>({})
  ticked = $state<string[]>([])
  own = $state.raw<Own | null>(null)
  begins = $state<number | null>(null)
  timer = $state<Ticking>({ spent: [], running: null, since: 0, limit: 0 })
  /** What was there before everything was cleared. */
  before = $state.raw<Typed | null>(null)
  /** Nothing can be kept here: the browser refuses. */
  forgetful = $state(false)

  static async open(game: string, pad: Pad): Promise<Box> {
    return new Box(game, pad, await printedOf(game))
  }

  private constructor(
    readonly game: string,
    readonly pad: Pad,
    readonly printed: unknown,
  ) {
    const [fewest, most] = pad.players
    const draft = recall<Partial<SavedPad>>(game) ?? {}
    const usual = recall<string[]>('names') ?? []
    this.players = Math.min(most, Math.max(fewest, draft.players ?? Math.max(3, usual.length)))
    this.names = draft.names ?? usual
    this.options = draft.options ?? {}
    this.typed = draft.typed ?? {}
    this.ticked = draft.ticked ?? []
    this.own = draft.own ?? null
    this.begins = draft.begins ?? null
    this.timer = { spent: [], running: null, since: 0, limit: 0, ...draft.timer }
  }

  /** Writes down everything, whenever something changes. */
  save(): void {
    const { players, names, options, typed, ticked, own, begins, timer } = this
    this.forgetful = !keep(this.game, { players, names, options, typed, ticked, own, begins, timer } satisfies SavedPad)
  }

  readonly setting: Setting = $derived.by(() => {
    const choices = this.pad.options(this.players)
    const options = Object.fromEntries(
      Object.entries(choices).map(([name, all]) => [
        name,
        all.includes(this.options[name] ?? '') ? this.options[name]! : all[0]!,
      ]),
    )
    return { players: this.players, options, printed: this.own?.values ?? this.printed }
  })

  readonly judged = $derived.by(() => judge(this.pad, this.setting, this.typed))

  /** What an owner is called. */
  name = (owner: number): string => {
    if (owner >= this.players) return this.neutral
    return this.names[owner]?.trim() || t('box.player', { n: owner + 1 })
  }

  /** The name of the owner who is no player; the page knows the game's words. */
  neutral = ''

  rename(owner: number, name: string): void {
    const names = [...this.names]
    while (names.length <= owner) names.push('')
    names[owner] = name.slice(0, NAME)
    this.names = names
    keep('names', names)
  }

  type(id: string, text: string): void {
    this.before = null
    if (text === '') delete this.typed[id]
    else this.typed[id] = text
  }

  /** Takes a section away, with everything in it. */
  remove(prefix: string): void {
    for (const id of Object.keys(this.typed)) if (id.startsWith(`${prefix}.`)) delete this.typed[id]
  }

  clear(): void {
    this.before = { ...this.typed }
    this.typed = {}
  }

  restore(): void {
    if (this.before) this.typed = this.before
    this.before = null
  }

  /** The evening as it stands. */
  evening(): Evening {
    const { sheet } = this.judged
    return {
      id: crypto.randomUUID?.() ?? String(Date.now() + Math.random()),
      game: this.game,
      at: new Date().toISOString(),
      players: sheet.totals.map((_, owner) => this.name(owner)),
      points: sheet.totals,
      winners: sheet.winners,
    }
  }
}

/** The evenings of all games, the latest first. */
class Evenings {
  all = $state.raw<Evening[]>(read(recall<unknown>('evenings')) ?? [])

  /** Returns whether it is kept. */
  #write(all: Evening[]): boolean {
    const sorted = [...all].sort((one, other) => other.at.localeCompare(one.at)).slice(0, EVENINGS)
    if (!keep('evenings', sorted)) return false
    this.all = sorted
    return true
  }

  add(evening: Evening): boolean {
    // The browser may otherwise clear it away when space is short.
    void navigator.storage?.persist?.().catch(() => undefined)
    return this.#write([...this.all, evening])
  }

  remove(id: string): void {
    this.#write(this.all.filter((evening) => evening.id !== id))
  }

  /** Adds those of a file that are not here yet; how many, or null if it is no such file. */
  take(text: string): number | null {
    let found: Evening[] | null = null
    try {
      found = read((JSON.parse(text) as { evenings?: unknown }).evenings)
    } catch {
      return null
    }
    if (found === null) return null
    const known = new Set(this.all.map(({ id }) => id))
    const fresh = found.filter(({ id }) => !known.has(id) && known.add(id))
    return this.#write([...this.all, ...fresh]) ? fresh.length : null
  }

  file(): string {
    return JSON.stringify({ format: 1, evenings: this.all }, null, 1)
  }
}

/** Evenings as they can be shown, of what may be anything; null unless it is a list of them. */
function read(found: unknown): Evening[] | null {
  if (!Array.isArray(found)) return null
  const text = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 40
  const whole = (value: unknown): value is number => Number.isSafeInteger(value)
  const evenings: Evening[] = []
  for (const one of found.slice(0, EVENINGS) as Partial<Record<keyof Evening, unknown>>[]) {
    if (typeof one !== 'object' || one === null) return null
    const { id, game, at, players, points, winners } = one
    if (!text(id) || !text(game) || !text(at) || Number.isNaN(Date.parse(at))) return null
    if (!Array.isArray(players) || players.length > 8 || !players.every(text)) return null
    if (!Array.isArray(points) || points.length !== players.length || !points.every(whole)) return null
    if (!Array.isArray(winners) || !winners.every((place) => whole(place) && place >= 0 && place < players.length))
      return null
    evenings.push({ id, game, at: new Date(at).toISOString(), players, points, winners })
  }
  return evenings
}

export const evenings = new Evenings()
