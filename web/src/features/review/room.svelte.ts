/** The room after the last move: who leads, what is looked at together, what is pointed at. */
import { json, request } from '../../lib/api'
import { connection } from '../../lib/connection.svelte'
import { t } from '../../lib/i18n.svelte'
import { need } from '../../lib/parts'
import { pieceAt, pieceName } from '../../table/pieceHelp'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import { TableSession } from '../../table/tableSession.svelte'
import type { About, InvitedOn, Pointed, Room as RoomState, TriedMove } from '../../lib/wire'
import { load } from './replaying'
import { same, WhatIfSandbox } from './whatIf.svelte'

/** How long a ring is shown, in milliseconds, and how long is waited at least before another moment is told. */
const SHOWN = 6000
const TELL_EVERY = 200

export interface Ring extends Pointed {
  id: number
}

export class Room {
  /** Whether this page goes where the leader is. */
  following = $state(false)
  /** Whether a touch of a piece points at it. */
  pointing = $state(false)
  rings = $state.raw<Ring[]>([])
  failure = $state('')
  #told: { seq: number; line: TriedMove[] } | null = null
  #telling = false
  #going = false
  #count = 0

  constructor(readonly session: TableSession) {}

  get #state(): RoomState | undefined {
    return this.session.source.told.room as RoomState | undefined
  }

  get leader(): number | null {
    return this.#state?.leader ?? null
  }

  get leading(): boolean {
    return this.leader !== null && this.leader === this.session.you
  }

  get invitation(): InvitedOn | null {
    return (this.session.source.told.invited_on as InvitedOn | undefined) ?? null
  }

  /** The copy on which moves are tried, if one is open. */
  get tried(): WhatIfSandbox | null {
    return (this.session.whatIf?.source as WhatIfSandbox | undefined) ?? null
  }

  async lead(lead: boolean): Promise<void> {
    this.following = false
    if (lead) this.#told = null
    await this.#say({ type: 'lead', lead })
    if (lead) await this.tell()
  }

  /** Looks around freely. */
  free = (): void => {
    this.following = false
  }

  async follow(): Promise<void> {
    this.following = true
    await this.keepUp()
  }

  /** Goes where the leader is, one step after the other, however fast they are. */
  async keepUp(): Promise<void> {
    if (this.#going) return
    this.#going = true
    try {
      let went: RoomState | undefined
      while (this.following && this.#state !== went) {
        went = this.#state
        await this.#go(went)
      }
      this.failure = ''
    } catch (error) {
      this.failure = explain(error)
    } finally {
      this.#going = false
    }
  }

  async #go(state: RoomState | undefined): Promise<void> {
    const { session } = this
    if (this.leading || !state || state.leader === null || state.seq === null) return
    await load(session)
    const at = session.frames!.findIndex(({ seq }) => seq === state.seq)
    if (at < 0) return
    session.drawer = null
    session.replaying = true
    if (!state.line.length) {
      this.close()
      return session.step(at)
    }
    if (session.at !== at) session.step(at)
    const line = this.tried?.line ?? []
    const here = this.tried?.from === state.seq
    if (here && line.length === state.line.length && same(line, state.line) === line.length) return
    await this.open(at, state.line)
  }

  /** Tries moves from a moment of the game on a copy. */
  async open(at: number, line: TriedMove[] = []): Promise<void> {
    const { session } = this
    const before = session.frames!.slice(0, at + 1)
    if (this.tried?.from === before.at(-1)!.seq) return this.tried.go(line)
    const { default: panel } = await connection.sure(() => import('./WhatIfPanel.svelte'))
    const sandbox = new WhatIfSandbox(session.source.table!, before, this)
    await sandbox.go(line)
    const made = new TableSession('', session.game, sandbox)
    made.sidePanel = panel
    session.whatIf = made
  }

  close(): void {
    this.session.whatIf?.close()
    this.session.whatIf = null
  }

  /** Tells the others where we are, if we lead: not more often than they can follow. */
  async tell(): Promise<void> {
    const { session } = this
    if (this.#telling || !this.leading || !session.replaying) return
    const seq = this.tried?.from ?? session.frames?.[session.at]?.seq
    const line = this.tried?.line ?? []
    if (seq === undefined || (this.#told?.seq === seq && this.#told.line === line)) return
    this.#telling = true
    this.#told = { seq, line }
    await Promise.all([this.#say({ type: 'at', seq, line }), new Promise((resolve) => setTimeout(resolve, TELL_EVERY))])
    this.#telling = false
    await this.tell()
  }

  /** Points at a piece that is touched, while a touch points; says whether it did. */
  touch(target: Element): boolean {
    const piece = this.pointing && target.closest('main.table') ? pieceAt(target) : null
    const name = piece && pieceName(piece)
    if (!name) return false
    const place = piece.closest<HTMLElement>('[data-place]')?.dataset.place ?? ''
    void this.#say({ type: 'point', piece: name, place })
    return true
  }

  /** Shows for a while what somebody points at. */
  pointed(news: Pointed): void {
    const ring = { ...news, id: ++this.#count }
    this.rings = [...this.rings.filter(({ seat }) => seat !== ring.seat), ring]
    setTimeout(() => (this.rings = this.rings.filter(({ id }) => id !== ring.id)), SHOWN)
    const shown = this.session.whatIf ?? this.session
    const seq = this.tried?.from ?? this.session.frames?.[this.session.at]?.seq
    const path = `/api/tables/${encodeURIComponent(this.session.source.id)}/what-if/about`
    const asked = { seq: seq ?? this.session.source.seq, line: this.tried?.line ?? [], pieces: [ring.piece] }
    void Promise.all([json<About[]>(request('POST', path, asked)), need('what', this.session.game)])
      .then(([[about]]) => {
        if (about)
          shown.answer = t('room.points', { name: this.session.name(ring.seat), piece: shown.say.phrase(about.name) })
      })
      .catch(() => undefined)
  }

  async #say(
    message:
      | { type: 'lead'; lead: boolean }
      | { type: 'at'; seq: number; line: TriedMove[] }
      | { type: 'point'; piece: string; place: string },
  ): Promise<void> {
    try {
      await this.session.source.say(message)
      this.failure = ''
    } catch (error) {
      if (error instanceof Refused && error.problem.code === 'not_leading') return
      this.failure = explain(error)
    }
  }
}

class Opened {
  room = $state.raw<Room | null>(null)
}

/** The room of the table that is open, once its words are there. */
export const opened = new Opened()

export const roomOf = (session: TableSession): Room | null => (opened.room?.session === session ? opened.room : null)
