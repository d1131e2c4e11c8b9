/** Other moves on a copy of a finished game: a board that does not notice. The server plays a whole line each time. */
import { json, request } from '../../lib/api'
import { nameOf } from '../../table/names'
import { explain } from '../../lib/problems'
import type { Room } from './room.svelte'
import { Sandbox } from '../../table/sandbox.svelte'
import type { Moment } from '../../table/tableSession.svelte'
import type { About, Advice, Description, GameEvent, Preview, TableInfo, TriedMove, WhatIfState } from '../../lib/wire'

export class WhatIfSandbox extends Sandbox {
  line = $state.raw<TriedMove[]>([])
  moves = $state.raw<Description[]>([])
  state = $state.raw<WhatIfState | null>(null)
  failure = $state('')
  /** What happened by each move of the line, as far as it is known. */
  #happened: GameEvent[][] = []

  /** `before`: the moments of the game up to the one from which moves are tried. */
  constructor(
    readonly real: TableInfo,
    readonly before: Moment[],
    readonly room: Room,
  ) {
    super()
  }

  override get canUndo(): 'free' | null {
    return this.line.length ? 'free' : null
  }

  get from(): number {
    return this.before.at(-1)!.seq
  }

  /** Shows where a line leads; `seat`: who is asked, where several decide. A line that cannot be changes nothing. */
  async go(line: TriedMove[], seat: number | null = null): Promise<void> {
    const state = await this.#ask<WhatIfState>('', { line, seat })
    const longer = line.length === this.line.length + 1 && starts(line, this.line)
    if (!longer) this.#happened = this.#happened.slice(0, same(line, this.line))
    if (line.length) this.#happened[line.length - 1] = state.events
    this.failure = ''
    this.line = line
    this.moves = state.moves
    this.state = state
    const { view, decision } = state
    const earlier = [...this.before.map((frame) => frame.events), ...this.#happened.slice(0, line.length)].flat()
    await this.show({ table: this.#table(state), view, decision, events: longer ? state.events : earlier }, longer)
  }

  override async move(steps: number[]): Promise<number> {
    const seat = this.state?.seat
    if (seat === null || seat === undefined) return this.seq
    this.room.free() // a move was tried here, and not shown by another person
    await this.go([...this.line, { seat, steps }])
    return this.seq
  }

  /** Goes back so far that so many moves are left. */
  async back(left: number): Promise<void> {
    this.room.free()
    await this.try(() => this.go(this.line.slice(0, left)))
  }

  /** Who decides next, where several do. */
  async turnTo(seat: number): Promise<void> {
    this.room.free()
    await this.try(() => this.go(this.line, seat))
  }

  async try(run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      this.failure = explain(error)
    }
  }

  override askUndo = async (): Promise<number> => {
    await this.back(this.line.length - 1)
    return this.seq
  }

  override hint = (): Promise<Advice> => this.#ask<Advice>('/hint', { seat: this.state?.seat })

  override preview(steps: number[]): Promise<Preview> {
    return this.#ask<Preview>('/preview', { steps, seat: this.state?.seat })
  }

  override about(pieces: string[]): Promise<About[]> {
    return this.#ask<About[]>('/about', { pieces, seat: this.state?.seat })
  }

  #ask<T>(what: string, body: object): Promise<T> {
    const path = `/api/tables/${encodeURIComponent(this.real.id)}/what-if${what}`
    return json<T>(request('POST', path, { seq: this.from, line: this.line, ...body }))
  }

  /** The table as the board is to see it: whoever decides sits here, and everybody is there, bots as well. */
  #table({ seat, actors }: WhatIfState): TableInfo {
    const you = seat ?? this.real.you
    return {
      ...this.real,
      id: '',
      status: 'playing',
      you,
      actors,
      seats: this.real.seats.map((one, _, all) => ({
        ...one,
        kind: 'human',
        bot: null,
        name: nameOf(one, all),
        you: one.seat === you,
        online: true,
        away: false,
      })),
      scores: null,
      winners: null,
      vote: null,
      time: null,
      waits: false,
    }
  }
}

const equal = (one: TriedMove | undefined, other: TriedMove | undefined): boolean =>
  !!one && !!other && one.seat === other.seat && one.steps.join() === other.steps.join()

/** How many moves two lines have in common from their beginning. */
export function same(one: TriedMove[], other: TriedMove[]): number {
  const at = one.findIndex((move, at) => !equal(move, other[at]))
  return at < 0 ? one.length : at
}

/** Whether a line begins with another one. */
export const starts = (line: TriedMove[], other: TriedMove[]): boolean => same(other, line) === other.length
