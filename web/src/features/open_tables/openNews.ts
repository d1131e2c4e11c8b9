/**
 * What came and went in the list of open tables, for those who hear it: a sentence every few seconds at most, however
 * much happens meanwhile, and none about what happened while nobody looked.
 */
import type { OpenTable } from '../../lib/wire'

/** Milliseconds from one sentence to the next, and from what happens to its sentence: more may come at once. */
export const GAP = 8000
export const WAIT = 1000

export class OpenNews {
  #say: (came: OpenTable[], gone: OpenTable[]) => void
  /** What was there when something was said last; null: what comes first is not news. */
  #told: Map<string, OpenTable> | null = null
  #now = new Map<string, OpenTable>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #last = -Infinity

  /** `say` is given what came and what went since it was called last. */
  constructor(say: (came: OpenTable[], gone: OpenTable[]) => void) {
    this.#say = say
  }

  /** The list is another one. */
  take(tables: OpenTable[]): void {
    this.#now = new Map(tables.map((table) => [table.id, table]))
    this.#told ??= this.#now
    this.#timer ??= setTimeout(this.#tell, Math.max(WAIT, this.#last + GAP - performance.now()))
  }

  /** Nobody looks any more: the list that comes next is no news. */
  forget(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#told = null
  }

  #tell = (): void => {
    this.#timer = undefined
    const [before, now] = [this.#told ?? this.#now, this.#now]
    this.#told = now
    const came = [...now.values()].filter(({ id }) => !before.has(id))
    const gone = [...before.values()].filter(({ id }) => !now.has(id))
    if (came.length + gone.length === 0) return
    this.#last = performance.now()
    this.#say(came, gone)
  }
}
