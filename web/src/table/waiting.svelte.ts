/** Looks after the tables that wait for me: when the page is seen again, after my moves, and now and then, ever less often. */
import { untrack } from 'svelte'
import { request } from '../lib/api'
import { words } from '../lib/catalogue'
import { otherTables } from './otherTables.svelte'
import { router } from '../lib/router.svelte'
import type { MyTurns, WaitingTable } from '../lib/wire'

const FIRST_PAUSE = 5_000
const LONGEST_PAUSE = 15 * 60_000
/** Milliseconds between two questions, at least. */
const APART = 500
/** Without a touch for so long, the person may be looking elsewhere. */
const IDLE = 30_000

class Watch {
  /** All of them, the one that is open too, if it waited when we asked. */
  tables = $state.raw<WaitingTable[]>([])
  /** By how many milliseconds the server's clock is ahead of this device's. */
  ahead = 0
  #eyes = 0
  #pause = FIRST_PAUSE
  #timer: ReturnType<typeof setTimeout> | undefined
  #asking = false
  #asked = 0
  #touched = Date.now()

  /** Looks as long as a part of the page shows it; returns what ends that. */
  begin(): () => void {
    if (this.#eyes++ === 0) {
      document.addEventListener('visibilitychange', this.again)
      for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, this.#touch, true)
    }
    return () => {
      if (--this.#eyes > 0) return
      clearTimeout(this.#timer)
      document.removeEventListener('visibilitychange', this.again)
      for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, this.#touch, true)
    }
  }

  /** Whether there may be a table other than the one that is open. */
  get several(): boolean {
    const { route } = router
    const others = otherTables.going?.some((id) => route.page !== 'table' || id !== route.parts[0]) ?? true
    return otherTables.moved && others
  }

  /** Whether nobody looks at the page, as far as we know. */
  get unseen(): boolean {
    return document.hidden || Date.now() - this.#touched > IDLE
  }

  /** Asks the server, unless there is no other table that could wait. */
  async ask(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#asking || document.hidden || !this.several) return
    // Whoever leafs through many pages asks no more often than they could look.
    const early = this.#asked + APART - Date.now()
    if (early > 0 && early <= APART) {
      this.#timer = setTimeout(() => void this.ask(), early)
      return
    }
    this.#asking = true
    this.#asked = Date.now()
    try {
      const response = await request('GET', '/api/turns')
      const { tables, going } = (await response.json()) as MyTurns
      this.ahead = Date.parse(response.headers.get('Date') ?? '') - Date.now() || 0
      if (tables.length > 0) await words()
      this.tables = tables
      otherTables.going = going
    } catch {
      // Nobody asked for it; the next time may do better.
    }
    this.#asking = false
    if (this.#eyes === 0 || !this.several) return
    this.#timer = setTimeout(() => void this.ask(), this.#pause)
    this.#pause = Math.min(LONGEST_PAUSE, 2 * this.#pause)
  }

  /** Something has happened: asks now, and soon again. An effect that calls it does not depend on what is answered. */
  again = (): void => {
    this.#pause = FIRST_PAUSE
    untrack(() => void this.ask())
  }

  #touch = (): void => {
    this.#touched = Date.now()
  }
}

export const watch = new Watch()

/** Shows how many tables wait where the system has a place for it; `here`: the one that is open does, too. */
export function badge(others: number, here: boolean): void {
  otherTables.waiting = others
  const count = others + Number(here)
  const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  void shown?.catch(() => undefined) // allowed only to what is installed
}
