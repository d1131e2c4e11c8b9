/** Asks for the judgement of every move of a finished game, one after another; what is known is kept. */
import { Refused } from '../../lib/refused'
import { movesOf, type Judged } from './review'
import type { Moment } from '../../table/tableSession.svelte'
import type { Judgement } from '../../lib/wire'

/** The advisers of a game are compiled when they are first needed. */
const PREPARING = 4_000
const NOT_NOW = new Set(['not_ready', 'busy', 'rate_limited', 'too_many_requests', 'starting'])

class Reviewing {
  judged = $state.raw<Judged>(new Map<number, Judgement>())
  running = $state(false)
  /** The server is not ready for it; it is asked again. */
  waiting = $state(false)
  failure = $state.raw<unknown>(null)
  /** Moves that nobody can judge count as looked at. */
  looked = $state(0)
  readonly total: number
  #run = 0
  #skipped = new Set<number>()

  constructor(
    readonly judge: (seq: number) => Promise<Judgement>,
    readonly frames: readonly Moment[],
  ) {
    this.total = movesOf(frames).length
  }

  get done(): boolean {
    return this.looked === this.total
  }

  stop(): void {
    this.#run += 1
    this.running = false
    this.waiting = false
  }

  async start(): Promise<void> {
    if (this.running || this.done) return
    const run = ++this.#run
    this.running = true
    this.failure = null
    for (const { seq } of movesOf(this.frames)) {
      if (this.judged.has(seq) || this.#skipped.has(seq)) continue
      if (!(await this.#look(seq, run))) return
    }
    this.running = false
  }

  /** Returns whether the next move may follow. */
  async #look(seq: number, run: number): Promise<boolean> {
    for (;;) {
      try {
        const judgement = await this.judge(seq)
        // An answer that was on its way when the review stopped is still worth keeping.
        this.judged = new Map(this.judged).set(seq, judgement)
      } catch (error) {
        if (run !== this.#run) return false
        const code = error instanceof Refused ? error.problem.code : undefined
        if (code !== undefined && NOT_NOW.has(code)) {
          this.waiting = true
          await new Promise((resolve) => setTimeout(resolve, PREPARING))
          if (run !== this.#run) return false
          continue
        }
        if (code !== 'no_such_move') {
          this.failure = error
          this.stop()
          return false
        }
        this.#skipped.add(seq)
      }
      this.looked = this.judged.size + this.#skipped.size
      if (run !== this.#run) return false
      this.waiting = false
      return true
    }
  }
}

const all = new WeakMap<readonly Moment[], Reviewing>()

/** The review of a game that is looked through; the same one when it is opened again. */
export function reviewing(judge: Reviewing['judge'], frames: readonly Moment[]): Reviewing {
  const known = all.get(frames) ?? new Reviewing(judge, frames)
  all.set(frames, known)
  return known
}
