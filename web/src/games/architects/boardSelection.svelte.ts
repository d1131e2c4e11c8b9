/** What has been touched of a move that is not complete yet, and what may be touched next. */
import type { Selection } from '../../table/selection.svelte'
import type { TableSession } from '../../table/tableSession.svelte'
import type { Phrase } from '../../lib/wire'
import { COLOURS, colourOf, each, fieldsOf, open, type Fields, type Move, type View, type PartialMove } from './view'

type Type = Move['type']
const DRAWS: Type[] = ['draw', 'extra', 'take_any', 'look']

/** Something that the bar offers, in which respect it differs from the others, and what touching it adds to the move. */
export interface Pick {
  move: Move
  shows: 'stage' | 'set' | 'payment' | 'cards' | 'card' | 'token' | 'deck'
  partial: PartialMove
}

/** What the bar offers together; with a label where it is everything that can be done. */
export interface Group {
  label: string
  must: boolean
  picks: Pick[]
}

export class BoardSelection {
  touched = $state.raw<PartialMove | null>(null)

  constructor(readonly session: TableSession) {}

  readonly selection = $derived.by(() => this.session.selection as Selection<Move>)
  readonly view = $derived.by(() => this.session.view as View)
  readonly legal = $derived(this.selection.legal)

  /** Where only one thing can be done, nobody has to touch it first. */
  readonly partial = $derived.by((): PartialMove | null => {
    if (this.touched) return this.touched
    const [first] = this.legal
    if (!first || !['build', 'claim'].includes(first.type)) return null
    const alike = (one: Move): boolean => one.type === first.type && fieldsOf(one).stage === fieldsOf(first).stage
    return this.legal.every(alike) ? { type: first.type } : null
  })
  readonly candidates = $derived.by(() => (this.partial ? this.#all(this.partial) : []))
  readonly undecided = $derived(open(this.candidates))
  readonly ready = $derived(this.candidates.length > 0 && this.undecided === null ? this.candidates[0]! : null)

  // What may be touched, by where it lies.
  readonly decks = $derived(this.#glow('deck', DRAWS))
  readonly stages = $derived(this.#glow('stage', ['build']))
  readonly tokens = $derived(
    new Set([...this.selection.all('claim'), ...this.selection.all('take_token')].map((one) => one.token)),
  )
  readonly wonders = $derived(this.#glow('wonder', ['choose_wonder']))
  readonly extras = $derived(this.#glow('token', ['extra']))
  readonly cards = $derived(new Set(this.selection.all('claim').flatMap(({ cards }) => cards)))
  readonly chosenStage = $derived.by(() => {
    const [first] = this.candidates
    return first?.type === 'build' ? first.stage : null
  })
  readonly chosenCards = $derived(
    new Set((this.ready && fieldsOf(this.ready).cards) ?? (this.partial?.type === 'claim' ? this.partial.cards : [])),
  )

  #all({ type, ...fields }: PartialMove): Move[] {
    return this.selection.all(type, fields as Partial<Move>)
  }

  #whyNot({ type, ...fields }: PartialMove): Phrase | undefined {
    return this.selection.whyNot(type, fields as Partial<Move>)
  }

  /** The values of a field among the moves of some types that agree with what has been touched. */
  #glow<F extends keyof Fields>(field: F, types: Type[]): Set<NonNullable<Fields[F]>> {
    const fitting = this.legal.filter(
      (one) => types.includes(one.type) && (one.type !== this.partial?.type || this.candidates.includes(one)),
    )
    return new Set(fitting.map((one) => fieldsOf(one)[field]!))
  }

  /** What the bar offers: what is still to be decided, or everything that can be done. */
  readonly groups = $derived.by((): Group[] => {
    const { session, partial, undecided, selection } = this
    if (undecided && partial) {
      const picks = each(this.candidates, undecided).map((move): Pick => {
        return { move, shows: undecided, partial: { ...partial, [undecided]: fieldsOf(move)[undecided] } }
      })
      return [{ label: '', must: false, picks }]
    }
    if (partial) return []
    const kept = selection.all('keep')
    if (kept.length > 0) {
      const picks = kept.map((move): Pick => ({ move, shows: 'card', partial: { type: 'keep', card: move.card } }))
      return [{ label: '', must: false, picks }]
    }
    const stages = each(selection.all('build'), 'stage')
    const [claim] = selection.all('claim')
    const tokens = each(selection.all('extra'), 'token')
    const agenda = [
      ...stages.map((move): Pick => ({ move, shows: 'stage', partial: { type: 'build', stage: move.stage } })),
      ...(claim ? [{ move: claim, shows: 'set' as const, partial: { type: 'claim' as const } }] : []),
      ...tokens.map((move): Pick => ({ move, shows: 'token', partial: { type: 'extra', token: move.token } })),
    ]
    return [true, false]
      .map((must) => ({
        label: session.say(must ? 'label.forced' : 'label.optional'),
        must,
        picks: agenda.filter(({ move }) => fieldsOf(move).forced === must),
      }))
      .filter(({ picks }) => picks.length > 0)
  })

  back(): void {
    this.touched = null
    this.selection.back()
  }

  play(move: Move): void {
    this.selection.play(move)
  }

  refuse(reason?: Phrase): void {
    this.touched = null
    this.selection.refuse(reason)
  }

  /** Touching something a second time does what the bar would confirm. */
  want(next: PartialMove, reason?: Phrase): void {
    if (this.#all(next).length === 0) return this.refuse(reason ?? this.#whyNot(next))
    if (this.ready && this.touched && JSON.stringify(next) === JSON.stringify(this.touched))
      return this.play(this.ready)
    this.selection.back()
    this.touched = next
  }

  pick({ move, partial }: Pick): void {
    if (move.type === 'extra' && this.#all(partial).length === 1) return this.play(move)
    this.want(partial)
  }

  touchDeck(deck: string): void {
    const { partial } = this
    const all = this.legal.filter((one) => DRAWS.includes(one.type) && fieldsOf(one).deck === deck)
    const wanted = all.filter(
      (one) => partial?.type !== 'extra' || !partial.token || fieldsOf(one).token === partial.token,
    )
    const [first, ...more] = wanted.length ? wanted : all
    if (!first) return this.refuse(DRAWS.map((type) => this.#whyNot({ type, deck })).find((reason) => reason))
    if (more.length === 0) return this.play(first)
    this.want({ type: first.type, deck })
  }

  touchToken(token: string): void {
    const { touched } = this
    if (this.selection.find('take_token')) return this.want({ type: 'take_token', token })
    const set = touched?.type === 'claim' && touched.cards ? { cards: touched.cards } : {}
    const reason = this.#whyNot({ type: 'claim' })
    this.want({ type: 'claim', ...set, token }, reason && this.#explained(token, this.session.say.phrase(reason)))
  }

  touchOwnToken(token: string): void {
    const partial: PartialMove = { type: 'extra', token }
    this.want(partial, this.#whyNot(partial) ?? this.#explained(token))
  }

  touchCard(card: string): void {
    const claims = this.selection.all('claim').filter(({ cards }) => cards.includes(card))
    const [claim] = claims
    if (claim) {
      const token = this.touched?.type === 'claim' && this.touched.token ? { token: this.touched.token } : {}
      const sets = each(claims, 'cards')
      return this.want({ type: 'claim', ...(sets.length === 1 ? { cards: claim.cards } : {}), ...token })
    }
    const builds = this.selection.all('build').filter(({ cards }) => cards.includes(card))
    const [first, ...more] = each(builds, 'stage')
    if (first) return more.length === 0 ? this.want({ type: 'build', stage: first.stage }) : undefined
    const green = this.cards.size === 0 && COLOURS.green.some((one) => one === card)
    this.refuse(
      (green ? this.#whyNot({ type: 'claim' }) : undefined) ?? { key: `colour.${colourOf(card)}.help`, args: {} },
    )
  }

  /** What a token does, in words that need no pointer hovering over it. */
  #explained(token: string, also = ''): Phrase {
    const effect = this.session.say.phrase(this.view.tokens[token]!.effect)
    return { key: 'label.explained', args: { token, effect, also } }
  }
}
