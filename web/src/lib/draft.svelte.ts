/** A move in the making: steps are local until they are confirmed, and the server says what they would do. */
import { Refused } from './api'
import type { Feed } from './live.svelte'
import type { Choice, Phrase, Preview } from './wire'

export class Draft<C extends Choice = Choice> {
  steps = $state.raw<C[]>([])
  preview = $state.raw<Preview<C> | null>(null)
  busy = $state(false)
  /** Why the last thing that was touched is not possible. */
  refusal = $state.raw<Phrase | null>(null)
  /** What the server answered when it did not accept something. */
  failure = $state.raw<Refused | null>(null)
  #asked = 0

  constructor(readonly live: Feed) {}

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
      let preview = await this.#look()
      if (asked !== this.#asked) return
      if (suggest && preview.suggest?.length) {
        this.steps = [...steps, ...preview.suggest]
        preview = await this.#look()
        if (asked !== this.#asked) return
      }
      this.preview = preview
    } catch (error) {
      if (asked === this.#asked && error instanceof Refused) {
        this.failure = error
        this.preview = null
      }
    }
  }

  #look(): Promise<Preview<C>> {
    return this.live.preview(this.steps.map(({ action }) => action)) as Promise<Preview<C>>
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
    if (this.busy) return
    this.busy = true
    // The update may come before the answer, and with it a new choice, which is not this answer's to clear.
    const asked = this.#asked
    try {
      await this.live.move(steps)
      if (asked === this.#asked) this.clear()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (asked === this.#asked) this.clear()
      if (this.empty) this.failure = error
    } finally {
      this.busy = false
    }
  }
}
