/** What has been touched of a move, and what may be touched next. */
import type { Room } from '../../lib/room.svelte'
import type { Phrase } from '../../lib/wire'
import { colourOf, each, fits, open, paid, reasonFor, type Move, type Moves, type View, type Wish } from './view'

const DRAWS = ['draw', 'extra', 'take_any', 'look']
const GREEN = ['compass', 'gear', 'tablet']

/** Some choices that the bar offers, and what touching one of them wishes for. */
export interface Pick {
  label: string
  moves: Move[]
  wish: (move: Move) => Wish
}

export class Wishes {
  /** What has been touched of a move that is not complete yet. */
  touched = $state.raw<Wish | null>(null)

  constructor(readonly room: Room) {}

  readonly view = $derived.by(() => this.room.view as View)
  readonly decision = $derived.by(() => this.room.decision as Moves)
  readonly legal = $derived(this.decision.legal)

  /** Where only one thing can be done, nobody has to touch it first. */
  readonly wish = $derived.by((): Wish | null => {
    if (this.touched) return this.touched
    const [only, ...more] = this.legal
    if (!only || this.view.phase !== 'act' || !['build', 'claim'].includes(only.type)) return null
    if (more.some((one) => one.type !== only.type || one.stage !== only.stage)) return null
    return { type: only.type }
  })
  readonly candidates = $derived.by(() => {
    const wish = this.wish
    return wish ? this.legal.filter((one) => fits(one, wish)) : []
  })
  readonly undecided = $derived(open(this.candidates))
  readonly ready = $derived(this.candidates.length > 0 && this.undecided === null ? this.candidates[0]! : null)
  readonly mayEnd = $derived(this.legal.some(({ type }) => type === 'end'))

  // What may be touched, by where it lies.
  readonly decks = $derived(this.#glow('deck', DRAWS))
  readonly stages = $derived(this.#glow('stage', ['build']))
  readonly tokens = $derived(
    new Set(this.legal.filter(({ type }) => ['claim', 'take_token'].includes(type)).map((one) => one.token!)),
  )
  readonly wonders = $derived(this.#glow('wonder', ['choose_wonder']))
  readonly extras = $derived(this.#glow('token', ['extra']))
  readonly cards = $derived(
    new Set(this.legal.filter(({ type }) => type === 'claim').flatMap(({ cards }) => cards ?? [])),
  )
  readonly chosenCards = $derived(
    new Set((this.ready?.cards ?? (this.wish?.type === 'claim' && this.wish.paid?.split(' '))) || []),
  )

  #glow<K extends 'deck' | 'stage' | 'token' | 'wonder'>(field: K, types: string[]): Set<NonNullable<Move[K]>> {
    const values = this.legal.filter((one) => types.includes(one.type) && this.#inReach(one)).map((one) => one[field])
    return new Set(values.filter((value) => value !== undefined)) as Set<NonNullable<Move[K]>>
  }

  #inReach(one: Move): boolean {
    const wish = this.wish
    return !wish || one.type !== wish.type || fits(one, { ...wish, paid: one.cards && wish.paid })
  }

  /** What the bar offers: what is still to be decided, or everything that can be done. */
  readonly picks = $derived.by((): Pick[] => {
    const { room, view, wish, legal, undecided, mayEnd } = this
    if (!room.yourTurn) return []
    if (undecided && wish) {
      const moves = each(this.candidates, undecided)
      return [
        {
          label: '',
          moves,
          wish: (move) => ({ ...wish, [undecided]: undecided === 'paid' ? paid(move) : move[undecided] }),
        },
      ]
    }
    if (wish) return []
    if (view.phase === 'keep') return [{ label: '', moves: legal, wish: ({ type, card }) => ({ type, card: card! }) }]
    if (view.phase !== 'act') return []
    const of = (kind: string): Move[] => legal.filter(({ type }) => type === kind)
    return [
      {
        label: room.say(mayEnd ? 'label.optional' : 'label.forced'),
        moves: [...each(of('build'), 'stage'), ...of('claim').slice(0, 1)],
        wish: ({ type, stage }: Move): Wish => (type === 'build' ? { type, stage: stage! } : { type }),
      },
      {
        label: room.say(room.live.table?.options.extra_card_optional === 'no' ? 'label.forced' : 'label.optional'),
        moves: each(of('extra'), 'token'),
        wish: ({ type, token }: Move): Wish => ({ type, token: token! }),
      },
    ].filter(({ moves }) => moves.length > 0)
  })

  back(): void {
    this.touched = null
    this.room.draft.clear()
  }

  play({ action }: Move): void {
    this.room.draft.clear()
    void this.room.draft.confirm(action)
  }

  refuse(reason: Phrase | undefined): void {
    const { room } = this
    if (room.replaying || room.finished) return
    this.touched = null
    const nothing = { key: this.mayEnd ? 'ask.act_optional' : 'ask.nothing', args: {} }
    room.draft.refuse(reason ?? (room.yourTurn ? nothing : { key: 'refuse.not_your_turn', args: {} }))
  }

  /** Touching something a second time does what the bar would confirm. */
  want(next: Wish, reason?: Phrase): void {
    if (!this.legal.some((one) => fits(one, next))) return this.refuse(reason ?? reasonFor(this.decision, next))
    if (this.ready && this.touched && JSON.stringify(next) === JSON.stringify(this.touched))
      return this.play(this.ready)
    this.room.draft.clear()
    this.touched = next
  }

  pick(move: Move, next: Wish): void {
    const found = this.legal.filter((one) => fits(one, next))
    if (move.type === 'extra' && found.length === 1) return this.play(move)
    this.want(next)
  }

  touchDeck(deck: string): void {
    const { wish, decision } = this
    const all = this.legal.filter((one) => DRAWS.includes(one.type) && one.deck === deck)
    const wanted = all.filter((one) => wish?.type !== 'extra' || !wish.token || one.token === wish.token)
    const [first, ...more] = wanted.length ? wanted : all
    if (!first)
      return this.refuse(
        reasonFor(decision, { type: 'draw', deck }) ??
          reasonFor(decision, { deck }) ??
          (this.room.yourTurn ? { key: 'ask.out_of_reach', args: {} } : undefined),
      )
    if (more.length === 0) return this.play(first)
    this.want({ type: first.type, deck })
  }

  touchToken(token: string): void {
    const { touched, decision } = this
    const type = this.legal.some((one) => one.type === 'take_token') ? 'take_token' : 'claim'
    const set = touched?.type === 'claim' && touched.paid ? { paid: touched.paid } : {}
    const reason = reasonFor(decision, { type: 'claim' })
    this.want({ type, ...set, token }, reason && this.#explained(token, this.room.say.phrase(reason)))
  }

  touchOwnToken(token: string): void {
    if (this.legal.some((one) => one.type === 'extra' && one.token === token)) this.want({ type: 'extra', token })
    else this.refuse(reasonFor(this.decision, { type: 'extra', token }) ?? this.#explained(token))
  }

  touchCard(card: string): void {
    const using = this.legal.filter(({ type, cards }) => ['claim', 'build'].includes(type) && cards?.includes(card))
    const [first] = using
    if (!first) {
      const green = this.cards.size === 0 && GREEN.includes(card)
      return this.refuse(
        (green && reasonFor(this.decision, { type: 'claim' })) || { key: `colour.${colourOf(card)}.help`, args: {} },
      )
    }
    if (first.type === 'build') {
      const stages = each(using, 'stage')
      if (stages.length === 1) this.want({ type: 'build', stage: first.stage! })
      return
    }
    const { touched } = this
    const token = touched?.type === 'claim' && touched.token ? { token: touched.token } : {}
    const sets = each(using, 'paid')
    this.want(sets.length === 1 ? { type: 'claim', paid: paid(first), ...token } : { type: 'claim', ...token })
  }

  /** What a token does, in words that need no pointer hovering over it. */
  #explained(token: string, also = ''): Phrase {
    return { key: 'label.explained', args: { token, effect: this.room.say(`token.${token}.effect`), also } }
  }
}
