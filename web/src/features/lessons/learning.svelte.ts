/** Lessons: the present step, and the reply to the last answer. Progress is known to this browser alone. */
import { json, read, request } from '../../lib/api'
import { keep, recall } from '../../lib/kept'
import { Sandbox } from '../../table/sandbox.svelte'
import { explain } from '../../lib/problems'
import type { About, StepAnswer, StepStart, Description, LessonInfo, Phrase, Preview, StepInfo } from '../../lib/wire'

const KEY = 'ziggurat.lessons'

/** Of each game's lessons the steps that are done. */
type Done = Record<string, Record<string, string[]>>

export class Learning extends Sandbox {
  lessons = $state.raw<LessonInfo[]>([])
  #lesson = $state(0)
  #step = $state(0)
  /** The right move, once it was made. */
  #made: number[] = []
  /** The answer to what was done last. */
  said = $state.raw<{ right: boolean; say: Phrase } | null>(null)
  example = $state.raw<Description | null>(null)
  failure = $state('')
  #done = $state.raw<Record<string, string[]>>({})

  constructor(readonly game: string) {
    super()
    this.#done = recall<Done>(KEY, {})[game] ?? {}
  }

  get lesson(): LessonInfo {
    return this.lessons[this.#lesson]!
  }

  get step(): StepInfo {
    return this.lesson.steps[this.#step]!
  }

  /** Which of how many steps it is, counted from 1. */
  get number(): number {
    return this.#step + 1
  }

  get key(): string {
    return `learn.${this.lesson.name}.${this.step.name}`
  }

  /** Is it the last step of a lesson, or of all of them? */
  get last(): boolean {
    return this.#step === this.lesson.steps.length - 1
  }

  get end(): boolean {
    return this.last && this.#lesson === this.lessons.length - 1
  }

  done(lesson: LessonInfo, step?: StepInfo): boolean {
    const known = this.#done[lesson.name] ?? []
    return (step ? [step] : lesson.steps).every(({ name }) => known.includes(name))
  }

  /** Opens the lesson of a name, or else the first that is not done, at the first step that is not. */
  async open(name = ''): Promise<void> {
    this.lessons = await read<LessonInfo[]>(`/api/games/${this.game}/lessons`)
    const asked = this.lessons.findIndex((one) => one.name === name)
    const next = this.lessons.findIndex((one) => !this.done(one))
    if (this.lessons.length) await this.go(asked >= 0 ? asked : Math.max(next, 0))
  }

  /** Goes to a lesson: on from where it was left, or from its beginning if it is done. */
  async go(lesson: number): Promise<void> {
    this.#lesson = lesson
    this.#step = Math.max(
      0,
      this.lesson.steps.findIndex((step) => !this.done(this.lesson, step)),
    )
    await this.again()
  }

  next(): Promise<void> {
    if (this.last) return this.go(this.#lesson + 1)
    this.#step += 1
    return this.again()
  }

  back(): Promise<void> {
    this.#step -= 1
    return this.again()
  }

  /** Begins the step, or begins it again. */
  async again(): Promise<void> {
    const step = this.step
    try {
      const { scene, show } = await read<StepStart>(this.#path())
      if (step !== this.step) return
      this.said = null
      this.#made = []
      this.failure = ''
      this.example = show
      await this.show(scene)
    } catch (error) {
      this.failure = explain(error)
    }
  }

  async move(steps: number[]): Promise<number> {
    const { right, say, scene } = await json<StepAnswer>(request('POST', this.#path(), { steps }))
    this.said = { right, say }
    if (right) {
      this.#keep()
      this.#made = steps
    }
    if (scene) await this.show(scene, true)
    return this.seq
  }

  preview(steps: number[]): Promise<Preview> {
    return json<Preview>(request('POST', `${this.#path()}/preview`, { steps }))
  }

  about(pieces: string[]): Promise<About[]> {
    return json<About[]>(request('POST', `${this.#path()}/about`, { pieces, steps: this.#made }))
  }

  /** Answers a question. */
  choose(choice: string): void {
    const right = choice === this.step.right
    this.said = { right, say: { key: `${this.key}.${choice}.say`, args: {} } }
    if (right) this.#keep()
  }

  #path(): string {
    return `/api/games/${this.game}/lessons/${this.lesson.name}/${this.step.name}`
  }

  #keep(): void {
    const known = new Set(this.#done[this.lesson.name])
    this.#done = { ...this.#done, [this.lesson.name]: [...known.add(this.step.name)] }
    keep(KEY, { ...recall<Done>(KEY, {}), [this.game]: this.#done })
  }
}
