/** A move in the making: steps are local until they are confirmed, and the server says what they would do. */
import { Refused } from '../lib/refused'
import { WITHDRAWN, type TableSource } from './tableConnection.svelte'
import type { Choice, Phrase, Preview } from '../lib/wire'

export class PendingMove<C extends Choice = Choice> {
  steps = $state.raw<C[]>([])
  preview = $state.raw<Preview<C> | null>(null)
  busy = $state(false)
  /** Why the last thing that was touched is not possible. */
  refusal = $state.raw<Phrase | null>(null)
  /** What the server answered when it did not accept something. */
  failure = $state.raw<Refused | null>(null)
  #asked = 0
  #played = 0

  constructor(readonly source: TableSource) {}

  get empty(): boolean {
    return this.steps.length === 0
  }

  /** Replaces the steps. With `suggest` the server's proposal is chosen too, if it has one. */
  async set(steps: C[], suggest = false): Promise<void> {
    this.refusal = null
    this.failure = null
    this.steps = steps
    const asked = ++this.#asked
    if (steps.length === 0) {
      this.preview = null
      return
    }
    try {
      const preview = (await this.source.preview(steps.map(({ action }) => action))) as Preview<C>
      if (asked !== this.#asked) return
      const { then } = preview
      if (suggest && then) this.steps = [...steps, ...preview.suggest!]
      this.preview = (suggest && then) || preview
    } catch (error) {
      if (asked === this.#asked && error instanceof Refused) {
        this.failure = error
        this.preview = null
      }
    }
  }

  /** Takes back the last of the steps that are like this one. */
  without(like: (step: C) => boolean): Promise<void> {
    return this.set(this.steps.toSpliced(this.steps.findLastIndex(like), 1))
  }

  clear(): void {
    this.#asked += 1
    this.steps = []
    this.preview = null
    this.refusal = null
    this.failure = null
  }

  refuse(reason: Phrase): void {
    this.failure = null
    this.refusal = reason
  }

  /** Plays the steps with a finishing one. */
  confirm(action: number): Promise<void> {
    return this.play([...this.steps.map((step) => step.action), action])
  }

  /** Plays a whole move. */
  async play(steps: number[]): Promise<void> {
    // A move that has not left is given up for another one.
    if (this.busy && !this.source.withdraw()) return
    this.busy = true
    const mine = ++this.#played
    // What waits for the connection is no choice any more: the bar says what becomes of it.
    if (this.source.link === 'lost') this.clear()
    // The update may come before the answer, and with it a new choice, which is not this answer's to clear.
    const asked = this.#asked
    try {
      await this.source.move(steps)
      if (asked === this.#asked) this.clear()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (asked === this.#asked) this.clear()
      if (this.empty && error.problem.code !== WITHDRAWN) this.failure = error
    } finally {
      if (mine === this.#played) this.busy = false
    }
  }
}
