/** Everything that a board needs to know about the table it lies on. */
import { tick, type Component } from 'svelte'
import type { Animator, Wave } from './animator'
import { Selection } from './selection.svelte'
import type { Clocks } from './clocks.svelte'
import type { Deed } from './help'
import { connection } from '../lib/connection.svelte'
import { PendingMove } from './pendingMove.svelte'
import { speaker, t, texts, type Speak } from '../lib/i18n.svelte'
import { TableConnection, type TableSource } from './tableConnection.svelte'
import { nameOf } from './names'
import { settings } from '../lib/settings.svelte'
import type { Tell } from './notes'
import type { TableTalk } from './feature'
import type { Decision, GameEvent, Phrase, SeatInfo, Snapshot } from '../lib/wire'

export type Drawer = 'rules' | 'settings' | 'log' | 'end'

/** A moment of a finished game, and what led there. */
export interface Moment {
  seq: number
  seat: number | null
  events: GameEvent[]
  view: unknown
}

const NOTHING: Decision = { ask: null, legal: [], refusals: [], forced: false }

export class TableSession {
  /** The panel next to the table: in lessons, puzzles and the tutorial. */
  sidePanel = $state.raw<Component<{ session: TableSession }> | null>(null)
  readonly pendingMove: PendingMove
  readonly selection: Selection
  readonly say: Speak
  /** What is offered in addition to the game, where several play on this device. */
  passing = $state.raw<Deed | null>(null)
  /** Whether something moves on the board. */
  moving = $state(false)
  /** Which drawer of the shell is open. */
  drawer = $state<Drawer | null>(null)
  /** The section at which the rules are opened; of the settings `time` alone is one. */
  rule: string | null = null
  /** The moments of the finished game, once it is stepped through, and where that is. */
  frames = $state.raw<Moment[] | null>(null)
  at = $state(0)
  replaying = $state(false)
  /** After the game: the copy on which other moves are tried. */
  whatIf = $state.raw<TableSession | null>(null)
  /** What the last change was, in words, for those who listen. */
  heard = $state.raw<string[]>([])
  /** The answer to what was asked last, for those who listen. */
  answer = $state('')
  /** The clocks of the table, and the words of what happens among its people: loaded when there are any. */
  clocks = $state.raw<Clocks | null>(null)
  tell = $state.raw<Tell | null>(null)
  /** What the people say: a moment after the first sight, where there is somebody to talk with. */
  talk = $state.raw<TableTalk | null>(null)
  /** Whether it is a big screen that shows the table, without anything to press. */
  screen = false
  #coming = new Set<string>()
  #animator: Animator | null = null
  #waves: (events: GameEvent[], view: unknown) => Wave[] = () => []

  constructor(
    id: string,
    readonly game: string,
    readonly source: TableSource = new TableConnection(id),
  ) {
    this.pendingMove = new PendingMove(this.source)
    this.selection = new Selection(this)
    source.hear = ({ type }) => type === 'said' && this.#needTalk()
    this.say = speaker(game, (seat) => this.name(seat))
    this.source.present = async (update, apply, hurry) => {
      await this.#show(
        () => {
          const before = JSON.stringify([this.source.asked, this.decision])
          apply()
          // What others do at the same time does not change the viewer's own pending move.
          if (JSON.stringify([this.source.asked, this.decision]) !== before) this.selection.back()
          if (update.from > 0) this.heard = this.lines(update.events)
          this.#need(update)
        },
        update.from > 0 && !hurry ? update.events : [],
        update.view,
      )
    }
  }

  /** What the board shows: the position of now, or that of the move that is looked at. */
  get view(): unknown {
    return this.replaying ? (this.frames?.[this.at]?.view ?? this.source.view) : this.source.view
  }

  get decision(): Decision {
    return this.replaying || this.source.table?.time?.paused ? NOTHING : this.source.decision
  }

  get log(): GameEvent[] {
    return this.replaying && this.frames
      ? this.frames.slice(0, this.at + 1).flatMap((frame) => frame.events)
      : this.source.log
  }

  get you(): number | null {
    return this.source.table?.you ?? null
  }

  get seats(): SeatInfo[] {
    return this.source.table?.seats ?? []
  }

  get finished(): boolean {
    return this.source.table?.status === 'finished' || this.ended
  }

  /** By agreement, as it was. */
  get ended(): boolean {
    return this.source.table?.status === 'ended'
  }

  get yourTurn(): boolean {
    return this.decision.legal.length > 0 && !this.decision.forced
  }

  /** The players around the table: clockwise, from the viewer's left. */
  get others(): number[] {
    const count = this.seats.length
    const from = this.you ?? -1
    return this.seats.map((_, at) => (from + 1 + at) % count).filter((seat) => seat !== this.you)
  }

  seat(seat: number): SeatInfo | undefined {
    return this.seats.find((one) => one.seat === seat)
  }

  /** A seat nobody sits on belongs to a figure of the game's own: the neutral player. */
  name(seat: number): string {
    const info = this.seat(seat)
    if (!info && this.say.has('label.neutral')) return this.say('label.neutral')
    return info ? nameOf(info, this.seats) : t('ui.setup.seat', { n: seat + 1 })
  }

  /** What is asked now: of a move in the making its next step. */
  get ask(): Phrase | null {
    return this.pendingMove.preview?.ask ?? this.decision.ask
  }

  /** What is asked of you, or what everybody waits for, in words. */
  sentence(actors: number[]): string {
    if (this.ended) return t('ui.status.ended')
    const asked = this.ask ? this.say.phrase(this.ask) : ''
    if (this.yourTurn || this.finished || !actors.length) return asked
    if (this.source.table?.waits) return t('ui.table.waits')
    const awaited = this.awaited(actors)
    return asked && awaited ? `${asked} ${awaited}${awaited.endsWith('…') ? '' : '.'}` : asked || awaited
  }

  /** Whom you wait for; nobody waits for themselves. */
  awaited(actors: number[]): string {
    const { thinking } = this.source
    const others = actors.filter((seat) => seat !== this.you)
    if (!others.length) return ''
    if (thinking !== null && actors.includes(thinking)) return t('ui.table.thinking', { seat: this.name(thinking) })
    return t('ui.table.waiting_for', { seats: others.map((seat) => this.name(seat)) })
  }

  /** A line of the log, in words; `at`: which of its events it is. */
  line(event: GameEvent, at = Infinity): string | null {
    const say = this.tell?.at(this, at) ?? this.say
    const seat = event.args.seat ?? event.seat
    const nobody = `log.${event.type}.nobody`
    const key = seat === null && say.has(nobody) ? nobody : `log.${event.type}`
    return say.has(key) || texts.spell ? say(key, { ...event.args, seat }) : null
  }

  /** What a seat does, in words: in its own where they differ from those for everybody. */
  told(seat: number, words: Phrase): string {
    const own = `${words.key}.own`
    return seat === this.you && this.say.has(own) ? this.say(own, words.args) : this.say.phrase(words)
  }

  lines(events: GameEvent[]): string[] {
    return events.map((event) => this.line(event)).filter((line) => line !== null)
  }

  /** What happened among the people, in words, and before which event of the log. */
  get notes(): { seq: number; after: number; text: string }[] {
    const { tell } = this
    if (!tell || this.replaying) return []
    return this.source.notes.map((note) => ({ seq: note.seq, after: note.after, text: tell(this, note) }))
  }

  /** Loads what few tables need. */
  #need({ notes = [], from, table }: Snapshot): void {
    const once = (what: string): boolean => !this.#coming.has(what) && !!this.#coming.add(what)
    if (table.time && once('clocks')) {
      this.source.sync()
      void connection
        .sure(() => import('./agreements'), true)
        .then(async ({ clocksOf }) => (this.clocks = await clocksOf(this)))
    }
    const { policy, seats } = table
    if (policy.talk !== 'off' && seats.some(({ kind, you, near }) => kind !== 'bot' && !you && !near)) this.#needTalk()
    if (notes.length === 0) return
    const hear = (): void => {
      if (from > 0) this.heard = [...this.heard, ...notes.map((note) => this.tell!(this, note))]
    }
    if (this.tell) hear()
    else
      void connection
        .sure(() => import('./agreements'), true)
        .then(async ({ wordsOfNotes }) => {
          this.tell = await wordsOfNotes()
          hear()
        })
  }

  /** Loads what people say. */
  #needTalk(): void {
    if (this.#coming.has('talk')) return
    this.#coming.add('talk')
    void connection
      .sure(() => import('./features'), true)
      .then(async ({ features }) => {
        for (const { talk } of features) if (talk) this.talk = await connection.sure(() => talk(this), true)
      })
  }

  /** The game's way to draw a travelling piece, and to read from events what travelled. */
  animate<V>(
    flyingPiece: Component<Record<string, unknown>>,
    waves: (events: GameEvent[], view: V) => Wave[],
  ): () => void {
    this.#waves = waves as (events: GameEvent[], view: unknown) => Wave[]
    let gone = false
    // Nothing moves at the first sight, and without it the table is there, too.
    void connection
      .sure(() => import('./animator'), true)
      .then(({ Animator }) => {
        if (!gone) this.#animator = new Animator(flyingPiece, () => settings.speed)
      })
    return () => {
      gone = true
      this.#animator?.destroy()
      this.#animator = null
    }
  }

  async #show(apply: () => void, events: GameEvent[], view: unknown): Promise<void> {
    const animator = this.#animator
    if (!animator || animator.off || !events.length || !view) return apply()
    const before = animator.snapshot()
    apply()
    await tick()
    this.moving = true
    await animator.play(() => this.#waves(events, view), before)
    this.moving = false
  }

  step(to: number): void {
    if (!this.frames) return
    const at = Math.min(this.frames.length - 1, Math.max(0, to))
    if (at === this.at) return
    const forward = at === this.at + 1
    const frame = this.frames[at]!
    this.#animator?.skip()
    void this.#show(
      () => {
        this.at = at
        this.heard = this.lines(frame.events)
      },
      forward ? frame.events : [],
      frame.view,
    )
  }

  close(): void {
    this.source.close()
  }
}
