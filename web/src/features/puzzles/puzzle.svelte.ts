/** Puzzles: the one at hand, what was answered, and what that was worth. */
import { json, read, request } from '../../lib/api'
import { Sandbox } from '../../table/sandbox.svelte'
import { explain } from '../../lib/problems'
import type { About, PuzzleProgress, Phrase, Preview, PuzzleInfo, PuzzleVerdict } from '../../lib/wire'

/** What an answer may cost, in per cent of the chance of winning, and still be called so. */
const GRADES: [number, string][] = [
  [0, 'best'],
  [2, 'good'],
  [6, 'fair'],
  [100, 'poor'],
]

export const grade = ({ loss }: Pick<PuzzleVerdict, 'loss'>): string =>
  GRADES.find(([most]) => loss <= most)?.[1] ?? 'poor'

export class PuzzleSandbox extends Sandbox {
  info = $state.raw<PuzzleProgress | null>(null)
  puzzle = $state.raw<PuzzleInfo | null>(null)
  verdict = $state.raw<PuzzleVerdict | null>(null)
  /** Why the best move is better than the one that was made; null while that is being found out. */
  why = $state.raw<Phrase[] | null>(null)
  failure = $state('')

  constructor(readonly game: string) {
    super()
  }

  /** Opens the puzzle of a name, or else one that fits. */
  async open(name = ''): Promise<void> {
    this.info = await read<PuzzleProgress>(this.#path())
    const wanted = name || this.info.next
    if (wanted) await this.#put(wanted)
  }

  /** Goes on to another one. */
  async next(): Promise<void> {
    try {
      const here = this.puzzle?.name
      for (let tries = 0; tries < 4; tries++) {
        this.info = await read<PuzzleProgress>(this.#path())
        if (this.info.next !== here) break
      }
      if (this.info?.next) await this.#put(this.info.next)
      else this.puzzle = null
    } catch (error) {
      this.failure = explain(error)
    }
  }

  /** Puts the same one again. */
  async again(): Promise<void> {
    try {
      if (this.puzzle) await this.#put(this.puzzle.name)
    } catch (error) {
      this.failure = explain(error)
    }
  }

  async #put(name: string): Promise<void> {
    const puzzle = await read<PuzzleInfo>(this.#path(name))
    this.failure = ''
    this.verdict = null
    await this.show(puzzle.scene)
    this.puzzle = puzzle
  }

  async move(steps: number[]): Promise<number> {
    const verdict = await json<PuzzleVerdict>(request('POST', this.#path(this.puzzle!.name), { steps }))
    await this.show(verdict.scene)
    this.verdict = verdict
    this.why = verdict.why.length || verdict.loss === 0 ? verdict.why : null
    if (!this.why) void this.#explain(steps)
    if (this.info && verdict.counted) {
      const { answered, found } = this.info
      const right = verdict.loss === 0
      this.info = { ...this.info, rating: verdict.after, answered: answered + 1, found: found + (right ? 1 : 0) }
    }
    return this.seq
  }

  /** Asks why the best move is better than mine. Where nobody knows, nothing is said. */
  async #explain(steps: number[]): Promise<void> {
    const { verdict } = this
    const asked = request('POST', `${this.#path(this.puzzle!.name)}/why`, { steps })
    const why = await json<Phrase[]>(asked).catch(() => [])
    if (this.verdict === verdict) this.why = why
  }

  preview(steps: number[]): Promise<Preview> {
    return json<Preview>(request('POST', `${this.#path(this.puzzle!.name)}/preview`, { steps }))
  }

  about(pieces: string[]): Promise<About[]> {
    return json<About[]>(request('POST', `${this.#path(this.puzzle!.name)}/about`, { pieces }))
  }

  #path(name = ''): string {
    return `/api/find/${encodeURIComponent(this.game)}${name && `/${encodeURIComponent(name)}`}`
  }
}
