/** What a player has touched and not confirmed yet, and the pending move: what every board does with a touch. */
import type { TableSession } from './tableSession.svelte'
import type { Choice, Phrase } from '../lib/wire'

export type Of<C extends Choice, T extends C['type']> = Extract<C, { type: T }>

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const fits = (choice: Choice, type: string, fields: object): boolean =>
  choice.type === type && Object.entries(fields).every(([name, value]) => same(choice[name as keyof Choice], value))

export class Selection<C extends Choice = Choice> {
  /** A whole move that waits for its confirmation. */
  touched = $state.raw<C | null>(null)

  constructor(readonly session: TableSession) {}

  get legal(): C[] {
    return this.session.decision.legal as C[]
  }

  /** Everything of a type that may be done, with these values in its fields. */
  all<T extends C['type']>(type: T, fields: Partial<Of<C, T>> = {}): Of<C, T>[] {
    return this.legal.filter((choice): choice is Of<C, T> => fits(choice, type, fields))
  }

  find<T extends C['type']>(type: T, fields: Partial<Of<C, T>> = {}): Of<C, T> | undefined {
    return this.all(type, fields)[0]
  }

  /** Why it cannot be done. */
  whyNot<T extends C['type']>(type: T, fields: Partial<Of<C, T>> = {}): Phrase | undefined {
    return this.session.decision.refusals.find(({ choice }) => fits(choice, type, fields))?.reason
  }

  /** Touching something a second time does what the bar would confirm. */
  touch(choice: C | undefined, reason?: Phrase): void {
    if (!choice) return this.refuse(reason)
    if (this.touched?.action === choice.action) return this.play(choice)
    this.back()
    this.touched = choice
  }

  /** Says why not; without a reason, what is asked instead. */
  refuse(reason?: Phrase): void {
    const { session } = this
    if (session.replaying || session.finished) return
    session.pendingMove.refuse(
      reason ?? (session.yourTurn && session.ask ? session.ask : { key: 'refuse.not_your_turn', args: {} }),
    )
  }

  play(...steps: Choice[]): void {
    this.back()
    void this.session.pendingMove.play(steps.map(({ action }) => action))
  }

  /** Takes everything back that is not confirmed. */
  back(): void {
    this.touched = null
    this.session.pendingMove.clear()
  }
}
