/**
 * Counting for people who play with the physical box. The one place of the page where points are counted: a game describes
 * what is entered, and counts it (`games/<game>/pad.ts`), by the printed numbers that the server reads from its component
 * file. `python -m tests.games.pads` compares it with the rules.
 */
import type { Args, Phrase } from './wire'

/** What was typed, by the ids of the cells. It is kept as it was typed, so that nothing is lost. */
export type Typed = Record<string, string>
/** What of it can be: whole numbers within the bounds of their cells. */
export type Entries = Record<string, number>

export interface Setting<Printed = unknown> {
  players: number
  options: Record<string, string>
  /** The game's component file, as the server has read it. */
  printed: Printed
}

/**
 * One thing to enter: a number; yes or no; one of some choices (from 1, 0 is none); who holds a piece (the owner + 1,
 * 0 is nobody).
 */
export interface Cell {
  id: string
  kind: 'count' | 'mark' | 'choice' | 'holder'
  /** Whose it is; null: everybody's. */
  owner: number | null
  least: number
  most: number
  choices?: Phrase[]
  /** What a holder holds, where a row has several. */
  label?: Phrase
  piece?: string
}

export interface Row {
  id: string
  label: Phrase
  /** What it looks like, by the names of the game's pictures. */
  piece?: string
  help?: Phrase
  /** How many of many pieces stand side by side, where there is room. */
  across?: number
  cells: Cell[]
}

export interface Section {
  id: string
  /** Where its points are added up; one of `Form.parts`. */
  part: string
  title: Phrase
  piece?: string
  help?: Phrase
  rows: Row[]
  /** The section whose entries this one may begin with. */
  after?: string
  /** It was added, and can be taken away again with everything in it. */
  added?: boolean
  /** Sections that can be added here: what is entered for it. */
  adds?: { label: Phrase; piece: string; entry: string; value: number }[]
}

export interface Form {
  /** Players, and a figure of the game that is counted too. */
  owners: number
  /** What the last owner is called, who is nobody at the table. */
  neutral?: Phrase
  parts: { id: string; label: Phrase }[]
  sections: Section[]
}

/** What cannot be, in words, and at which cells. Not sure: it may be, but is worth another look. */
export interface Fault {
  cells: string[]
  words: Phrase
  sure: boolean
}

/** What one row gives an owner. */
export interface Share {
  part: string
  row: string
  owner: number
  points: number
}

export interface Step {
  id: string
  words: Phrase
}

/** What a game tells the page about its box. */
export interface Pad<Printed = unknown> {
  players: [fewest: number, most: number]
  /** What changes the form or the set-up; the first choice is the usual one. Words: `box.option.<name>.<choice>`. */
  options: (players: number) => Record<string, string[]>
  form: (setting: Setting<Printed>, entries: Entries) => Form
  count: (setting: Setting<Printed>, entries: Entries, sheet: Sheet) => void
  /** What is to be done before the first move, in its order. */
  setUp: (setting: Setting<Printed>) => Step[]
  /** The game's own rule about who begins. */
  begins: (setting: Setting<Printed>) => Phrase
}

export const phrase = (key: string, args: Args = {}): Phrase => ({ key, args })

/** Where a game's `count` writes what it finds. */
export class Sheet {
  readonly shares: Share[] = []
  readonly told: Record<string, Phrase[]> = {}
  readonly faults: Fault[] = []
  /** What decides between those with equal points; more is better. */
  readonly tieBreak: number[]
  /** Who cannot win. */
  readonly aside = new Set<number>()
  /** How a tie was decided, or why nobody wins. */
  verdict: ((winners: number[], tied: number[]) => Phrase | null) | null = null

  constructor(
    readonly form: Form,
    readonly entries: Entries,
    /** Cells in which something stands that cannot be. */
    private readonly wrong = new Set<string>(),
  ) {
    this.tieBreak = Array.from({ length: form.owners }, () => 0)
  }

  /** What was entered; 0 where nothing was. */
  of(id: string): number {
    return this.entries[id] ?? 0
  }

  has(id: string): boolean {
    return this.entries[id] !== undefined
  }

  /** Is it said of one of these cells already that it cannot be? */
  amiss(cells: string[]): boolean {
    return cells.some((id) => this.wrong.has(id))
  }

  /** Points of an owner for a row. */
  give(part: string, row: string, owner: number, points: number): void {
    this.shares.push({ part, row, owner, points })
  }

  /** A sentence about a row. */
  say(row: string, key: string, args: Args = {}): void {
    ;(this.told[row] ??= []).push(phrase(key, args))
  }

  fault(cells: string[], key: string, args: Args = {}, sure = true): void {
    this.faults.push({ cells, words: phrase(key, args), sure })
  }

  get totals(): number[] {
    const totals = Array.from({ length: this.form.owners }, () => 0)
    for (const { owner, points } of this.shares) totals[owner]! += points
    return totals
  }

  /** Those with most points; of these, those whom the tie-break prefers. */
  get winners(): number[] {
    const best = this.#best(this.totals, this.#owners)
    return this.#best(this.tieBreak, best)
  }

  /** Those with most points. */
  get tied(): number[] {
    return this.#best(this.totals, this.#owners)
  }

  get #owners(): number[] {
    return [...Array(this.form.owners).keys()].filter((owner) => !this.aside.has(owner))
  }

  #best(values: number[], among: number[]): number[] {
    const most = Math.max(...among.map((owner) => values[owner]!))
    return among.filter((owner) => values[owner] === most)
  }
}

export const owners = (count: number): number[] => [...Array(count).keys()]

/** A row with a number for every owner. */
export function counts(
  id: string,
  label: Phrase,
  among: number[],
  most: number | ((owner: number) => number),
  more: Partial<Row> = {},
): Row {
  const limit = (owner: number): number => (typeof most === 'number' ? most : most(owner))
  const cells = among.map((owner) => ({
    id: `${id}.${owner}`,
    kind: 'count' as const,
    owner,
    least: 0,
    most: limit(owner),
  }))
  return { id, label, cells, ...more }
}

/** A piece that one player has, or nobody. */
export function holder(id: string, form: { owners: number }, more: Partial<Cell> = {}): Cell {
  return { id, kind: 'holder', owner: null, least: 0, most: form.owners, ...more }
}

export const cellsOf = (form: Form): Cell[] => form.sections.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells))

const WHOLE = /^[+-]?\d+$/
/** More than any cell takes: a slip of the finger. */
const LONGEST = 6

export interface Judged {
  form: Form
  entries: Entries
  sheet: Sheet
  faults: Fault[]
}

/** Reads what was typed, and counts what of it can be. A form may depend on what is entered: it settles in a few steps. */
export function judge<Printed>(pad: Pad<Printed>, setting: Setting<Printed>, typed: Typed): Judged {
  let entries: Entries = {}
  for (const [id, text] of Object.entries(typed))
    if (WHOLE.test(text.trim()) && text.trim().length <= LONGEST) entries[id] = Number(text)
  let form = pad.form(setting, entries)
  let faults: Fault[] = []
  for (let looks = 0; looks < 4; looks++) {
    const cells = cellsOf(form)
    const read = readCells(cells, typed)
    const settled = looks > 0 && same(read.entries, entries)
    entries = read.entries
    faults = read.faults
    if (settled) break
    form = pad.form(setting, entries)
  }
  const sheet = new Sheet(form, entries, new Set(faults.flatMap(({ cells }) => cells)))
  pad.count(setting, entries, sheet)
  return { form, entries, sheet, faults: [...faults, ...sheet.faults] }
}

function readCells(cells: Cell[], typed: Typed): { entries: Entries; faults: Fault[] } {
  const entries: Entries = {}
  const faults: Fault[] = []
  for (const { id, least, most } of cells) {
    const text = typed[id]?.trim() ?? ''
    if (text === '') continue
    const value = Number(text)
    const refuse = (key: string): unknown =>
      faults.push({ cells: [id], words: phrase(key, { least, most }), sure: true })
    if (!WHOLE.test(text)) refuse('box.fault.whole')
    else if (value < 0) refuse('box.fault.negative')
    else if (value < least) refuse('box.fault.least')
    else if (value > most) refuse(most === 0 ? 'box.fault.none' : 'box.fault.most')
    else entries[id] = value
  }
  return { entries, faults }
}

function same(one: Entries, other: Entries): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}
