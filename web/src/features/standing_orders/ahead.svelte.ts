/** Moves ahead: a guess at how the game goes on, on a board that does not notice; and the list that is written there. */
import { json, read, request } from '../../lib/api'
import { Sandbox } from '../../table/sandbox.svelte'
import { t, texts } from '../../lib/i18n.svelte'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import type { About, GuessState, OrdersInfo, Preview, SandboxState, TableInfo } from '../../lib/wire'

/** Guesses of one moment; then the first comes again. */
const MOST_GUESSES = 100

export const pathOf = (table: string): string => `/api/tables/${encodeURIComponent(table)}/ahead`

/** The list of a seat at a table; without a seat one's own. */
export const ordersOf = (real: string, seat: number | null): Promise<OrdersInfo> =>
  read<OrdersInfo>(pathOf(real) + (seat === null ? '' : `?seat=${seat}`))

/** What a person says of a list as a whole. */
export type Terms = Pick<OrdersInfo, 'quiet' | 'goes_on' | 'alert'>
const USUAL: Terms = { quiet: false, goes_on: false, alert: false }

/** Says which moves of a list stay, in which order. */
export const arrange = (
  real: string,
  seat: number | null,
  ids: string[],
  { quiet, goes_on, alert }: Terms = USUAL,
): Promise<OrdersInfo> => json<OrdersInfo>(request('PUT', pathOf(real), { ids, quiet, goes_on, alert, seat }))

/** A refusal, in the reader's language. */
export function refusal(error: unknown): string {
  const key = error instanceof Refused ? `ahead.error.${error.problem.code}` : ''
  return key && texts.has(key) ? t(key) : explain(error)
}

export class AheadSandbox extends Sandbox {
  list = $state.raw<OrdersInfo | null>(null)
  guess = $state.raw<GuessState | null>(null)
  failure = $state('')
  /** The move that was written last, by its place in the list. */
  last = $state<number | null>(null)
  game = $state('')
  #number = 0
  #table: TableInfo | null = null

  constructor(
    readonly real: string,
    readonly seat: number | null,
  ) {
    super()
  }

  /** Opens the list and the first guess. */
  async open(): Promise<void> {
    this.#table = await read<TableInfo>(`/api/tables/${encodeURIComponent(this.real)}`)
    this.game = this.#table.game
    this.list = await ordersOf(this.real, this.seat)
    await this.#show()
  }

  /** Goes on to another guess. */
  async another(): Promise<void> {
    await this.#try(async () => {
      this.#number = (this.#number + 1) % MOST_GUESSES
      await this.#show()
    })
  }

  /** Says which moves stay, and in which order. */
  async keep(ids: string[], terms: Partial<Terms> = {}): Promise<void> {
    const before = this.list
    const now = { ...USUAL, ...before, ...terms }
    this.last = null
    // Shown at once: a second press while the first is on its way begins with what was pressed.
    if (before)
      this.list = { ...before, ...now, orders: ids.flatMap((id) => before.orders.filter((one) => one.id === id)) }
    await this.#try(async () => {
      this.list = await arrange(this.real, this.seat, ids, now).catch((error: unknown) => {
        this.list = before
        throw error
      })
    })
  }

  /** A move on the board is written down; the board stays as it is. */
  async move(steps: number[]): Promise<number> {
    const seq = this.guess?.seq ?? 0
    this.list = await json<OrdersInfo>(request('POST', pathOf(this.real), { ...this.#where(), steps, seq }))
    this.last = this.list.orders.length - 1
    this.failure = ''
    if (this.guess) await this.show(this.#named(this.guess.scene))
    return this.seq
  }

  preview(steps: number[]): Promise<Preview> {
    return json<Preview>(request('POST', `${pathOf(this.real)}/preview`, { ...this.#where(), steps }))
  }

  about(pieces: string[]): Promise<About[]> {
    return json<About[]>(request('POST', `${pathOf(this.real)}/about`, { ...this.#where(), pieces }))
  }

  #where(): { guess: number; seat: number | null } {
    return { guess: this.#number, seat: this.seat }
  }

  async #show(): Promise<void> {
    const state = await json<GuessState>(request('POST', `${pathOf(this.real)}/guess`, this.#where()))
    this.failure = ''
    this.guess = state
    await this.show(this.#named(state.scene))
  }

  /** The scene with those who sit at the table, by their names. */
  #named(scene: SandboxState): SandboxState {
    const { seats } = this.#table!
    const named = scene.table.seats.map((one, at) => ({
      ...seats[at]!,
      you: one.you,
      online: true,
      away: false,
    }))
    return { ...scene, table: { ...scene.table, seats: named } }
  }

  async #try(run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      this.failure = refusal(error)
    }
  }
}
