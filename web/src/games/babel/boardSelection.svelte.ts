/** What is touched and not confirmed yet: a disc, the offers of others, cards of both kinds. */
import type { Selection } from '../../table/selection.svelte'
import type { PendingMove } from '../../table/pendingMove.svelte'
import type { Deed } from '../../table/help'
import type { TableSession } from '../../table/tableSession.svelte'
import { explained, same, type Accept, type Counts, type Step, type View } from './view'

/** Action cards that are an answer to what is asked, and what else the bar offers before anything is touched. */
const ANSWERS = ['triple', 'double']
const PLAIN = ['pass', 'commit', 'fail', 'decline']

export class BoardSelection {
  /** The offers that the builder has toggled. */
  picked = $state.raw<number[]>([])
  /** An action card whose effect is read. */
  read = $state.raw<string | null>(null)
  /** Whether the trade card is to go with the offer. */
  trading = $state(false)

  constructor(readonly session: TableSession) {}

  readonly view = $derived.by(() => this.session.view as View)
  readonly selection = $derived.by(() => this.session.selection as Selection<Step>)
  readonly pendingMove = $derived.by(() => this.session.pendingMove as PendingMove<Step>)
  readonly touched = $derived(this.selection.touched)

  readonly exchanging = $derived(this.pendingMove.steps[0]?.type === 'exchange')
  readonly offering = $derived(!this.exchanging && this.selection.find('commit') !== undefined)
  /** The ways to build, cheapest first. */
  readonly ways = $derived(this.selection.all('accept').toSorted((one, other) => one.cost - other.cost))
  readonly fail = $derived(this.selection.find('fail'))
  /** Whether one is asked only so that asking betrays nothing; the answer is given by itself. */
  readonly inVain = $derived.by(() => this.session.decision.forced)

  /** The action cards that can be played, by their names. */
  readonly cards = $derived(
    new Map(this.selection.legal.flatMap((one): [string, Step][] => ('plays' in one ? [[one.plays, one]] : []))),
  )
  readonly laid = $derived.by(() => {
    const counts: Counts = {}
    for (const step of this.pendingMove.steps) if (step.type === 'lay') counts[step.card] = (counts[step.card] ?? 0) + 1
    return counts
  })
  readonly any = $derived(!!this.touched || this.read !== null || this.picked.length > 0 || !this.pendingMove.empty)

  /** What the chosen steps will do. */
  readonly notes = $derived.by((): string[] => {
    const { session, pendingMove, touched, read } = this
    const { say } = session
    if (pendingMove.preview) return pendingMove.preview.say.map((phrase) => say.phrase(phrase))
    if (read) return [explained(say, this.view, read)]
    if (!touched || !('say' in touched)) return []
    const others = touched.type === 'fail' ? touched.others : []
    return [touched.say, others]
      .filter(({ length }) => length)
      .map((all) => all.map((one) => say.phrase(one)).join(' '))
  })

  readonly deeds = $derived.by((): Deed[] => {
    const { session, pendingMove, selection, touched, read } = this
    if (!session.yourTurn || this.inVain) return []
    if (!pendingMove.empty) {
      const all = pendingMove.preview?.confirm ?? []
      // With the trade card lifted nothing is offered without it.
      return (this.trading && all[1] ? [all[1]] : all).map(({ action, label }, at) => ({
        label: session.say.phrase(label),
        primary: !at,
        action,
        run: () => this.#done(() => void pendingMove.confirm(action)),
      }))
    }
    if (read) return this.cards.has(read) ? [this.#deed(this.cards.get(read)!)] : []
    if (touched) return [this.#deed(touched)]
    const answers = selection.legal.filter(({ type }) => ANSWERS.includes(type))
    const plain = selection.legal.filter(({ type }) => PLAIN.includes(type) && (type !== 'fail' || !this.ways.length))
    // On a phone they lie out of sight.
    const cards = this.fail ? [] : [...this.cards.keys()].filter((card) => !answers.includes(this.cards.get(card)!))
    const last = (one: Step): boolean => answers.length === 0 && (one.type === 'decline' || one.type === 'fail')
    return [
      ...answers.map((one) => this.#deed(one)),
      ...cards.map((card): Deed => ({ label: session.say(`action.${card}`), run: () => this.touchCard(card) })),
      ...plain.map((one) => this.#deed(one, last(one))),
    ]
  })

  #deed(step: Step, primary = true): Deed {
    const name = step.type === 'decline' ? step.means : step.type
    const label = this.session.say(`confirm.${name}`, { count: 'count' in step ? step.count : 0 })
    return {
      label,
      primary,
      action: step.action,
      run: () => (step.type === 'exchange' ? this.#begin(step) : this.#done(() => this.selection.play(step))),
    }
  }

  /** What is played is not chosen any more, whatever comes of it: in a lesson the question may stay. */
  #done(play: () => void): void {
    this.forget()
    play()
  }

  #begin(step: Step): void {
    this.back()
    void this.pendingMove.set([step])
  }

  back(): void {
    this.forget()
    this.selection.back()
  }

  /** What was touched belongs to one question only. */
  forget(): void {
    this.picked = []
    this.read = null
    this.trading = false
  }

  /** Touching something a second time does what the bar would confirm. */
  want(step: Step | undefined): void {
    this.forget()
    this.selection.touch(step)
  }

  touchDisc(wonder: string, space: number): void {
    this.want(this.selection.find('choose', { wonder, space }))
  }

  touchOffer(seat: number): void {
    const { picked } = this
    const seats = picked.includes(seat) ? picked.filter((one) => one !== seat) : [...picked, seat].sort()
    this.back()
    this.picked = seats
    if (seats.length === 0) return
    const way = this.ways.find((one) => same(one.seats, seats))
    if (way) this.selection.touched = way
    else this.selection.refuse(this.selection.whyNot('accept', { seats }))
  }

  /** A way to build is many things at once: touched again it is not chosen any more, and the bar alone builds. */
  pick(way: Accept): void {
    const again = this.touched === way
    this.back()
    if (!again) this.picked = (this.selection.touched = way).seats
  }

  touchHand(card: string, back: boolean): void {
    const { pendingMove, selection } = this
    const like = (step: Step): boolean => step.type === 'lay' && step.card === card
    if (!this.offering && !this.exchanging) return selection.refuse()
    if (back) return void pendingMove.without(like)
    const more = (pendingMove.preview?.add ?? selection.legal).find(like)
    if (!more) return selection.refuse(pendingMove.preview?.refusals.find(({ choice }) => like(choice))?.reason)
    const steps = [...pendingMove.steps, more]
    if (pendingMove.empty) this.back()
    void pendingMove.set(steps)
  }

  touchTrade(): void {
    if (!this.offering) this.selection.refuse()
    else if (this.pendingMove.empty) this.selection.refuse(this.selection.whyNot('commit_trade'))
    else this.trading = !this.trading
  }

  touchCard(card: string): void {
    const again = this.read === card
    this.back()
    if (!again) this.read = card
  }
}
