/** One table, live: numbered updates over a socket, resync after a gap, moves that survive a lost connection. */
import { Refused } from '../lib/refused'
import type {
  Advice,
  Changes,
  Decision,
  ErrorAnswer,
  GameEvent,
  Delta,
  ActivityEntry,
  Preview,
  TableInfo,
  Thinking,
  ToPage,
  ToServer,
  UndoWish,
  Snapshot,
} from '../lib/wire'

/** What a feature is told, which says what is in it. */
interface News {
  type: string
  id?: string
}
type Link = 'connecting' | 'open' | 'lost'

/** Shows an update: calls `apply` when the new state may appear, and resolves when the next one may follow. */
type Presenter = (update: Snapshot, apply: () => void, hurry: boolean) => Promise<void>

/** What is asked with an id, so that the answer is known by it. */
type Question = ToServer extends infer Message ? (Message extends { id: string } ? Omit<Message, 'id'> : never) : never

interface Waiting {
  message: ToServer
  resolve: (value: never) => void
  reject: (reason: Refused) => void
  /** Whether it has left: the server may know it then. */
  sent: boolean
}

/** Why a move is not made that has not left yet. */
export const WITHDRAWN = 'withdrawn'

const PING_EVERY = 20_000
const SILENCE_MEANS_LOST = 45_000
const PATIENCE = [300, 800, 1500, 3000, 5000, 8000]
const NOTHING: Decision = { ask: null, legal: [], refusals: [], forced: false }

/** An id nobody else makes. crypto.randomUUID exists only in secure contexts, and a friend's laptop on the LAN is none. */
function makeId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What a board needs of a table; lessons and puzzles have none (`sandbox.svelte.ts`). */
export type TableSource = Pick<TableConnection, keyof TableConnection>

export class TableConnection {
  table = $state.raw<TableInfo | null>(null)
  view = $state.raw<unknown>(null)
  decision = $state.raw<Decision>(NOTHING)
  log = $state.raw<GameEvent[]>([])
  /** What happened among the people; `after`: how many events of the log were before it. */
  notes = $state.raw<ActivityEntry[]>([])
  undo = $state.raw<UndoWish | null>(null)
  canUndo = $state<'free' | 'ask' | null>(null)
  /** How many moves a bot has made for you, who have come back and not moved since. */
  byBot = $state(0)
  link = $state<Link>('connecting')
  thinking = $state<number | null>(null)
  /** Counts updates shown. */
  seq = $state(0)
  /** Since when you are asked what you are asked now: another question, another number. */
  asked = $state<number | null>(null)
  /** Is there a move that could not be sent yet? */
  unsent = $state(false)
  /** The server will never let us in here: no such table, or not ours. */
  refused = $state<Refused | null>(null)
  /** What features were told here: the latest of each kind; and who hears of each. */
  told = $state.raw<Record<string, unknown>>({})
  hear?: (news: News) => void
  present: Presenter = async (_update, apply) => apply()

  #socket: WebSocket | null = null
  #queue: (Snapshot | Thinking)[] = []
  /** What this socket was told last; deltas say only what changed since. */
  #lastSnapshot: Snapshot | null = null
  #received = 0
  #busy = false
  #closed = false
  #failures = 0
  #heard = 0
  /** By how many seconds the server's clock is ahead of ours, and when it was asked. */
  #ahead = 0
  #asked = 0
  #timers: { ping?: ReturnType<typeof setInterval>; retry?: ReturnType<typeof setTimeout> } = {}
  #waiting = new Map<string, Waiting>()

  #chair: number | null

  /**
   * `chair`: for whom the page speaks, if not for oneself. `secret`: of the table's invitation, as far as it is known:
   * those may look on who have it.
   */
  constructor(
    readonly id: string,
    chair: number | null = null,
    public secret = '',
  ) {
    this.#chair = chair
    addEventListener('online', this.#wake)
    document.addEventListener('visibilitychange', this.#wake)
    this.#timers.ping = setInterval(this.#ping, PING_EVERY)
    this.#connect()
  }

  close(): void {
    this.#closed = true
    removeEventListener('online', this.#wake)
    document.removeEventListener('visibilitychange', this.#wake)
    clearInterval(this.#timers.ping)
    clearTimeout(this.#timers.retry)
    this.#socket?.close()
  }

  /** Seconds since 1970 by the server's clock, once it was asked. */
  get now(): number {
    return Date.now() / 1000 + this.#ahead
  }

  /** Asks what time it is there. */
  sync(): void {
    this.#asked = Date.now()
    this.#send({ type: 'ping' })
  }

  /** Plays a complete move. The id makes a repetition harmless, so it is sent until it is answered. */
  move(steps: number[]): Promise<number> {
    return this.#ask<number>({ type: 'move', seq: this.seq, steps })
  }

  preview(steps: number[]): Promise<Preview> {
    return this.#ask<Preview>({ type: 'preview', seq: this.seq, steps })
  }

  /** Takes the last move back if it showed nothing; where the others have to agree they are asked the second time. */
  askUndo(): Promise<number> {
    return this.#ask<number>(this.canUndo === 'ask' ? { type: 'undo' } : { type: 'undo', ask: false }).catch(
      (error) => {
        if ((error as Refused).problem?.code === 'undo_asks') this.canUndo = 'ask'
        throw error
      },
    )
  }

  /** Agrees that a bot plays for an absent player, or does not. */
  standIn(seat: number, agree = true): Promise<number> {
    return this.#ask<number>(agree ? { type: 'stand_in', seat } : { type: 'stand_in', seat, agree })
  }

  /** Says what the people at a table decide together, or each for themselves; or asks what anybody may, as it is. */
  say<T = number>(body: Question): Promise<T> {
    return this.#ask<T>(body)
  }

  /** What would a Master do? However often it is asked, it is thought about once. */
  hint(): Promise<Advice> {
    return this.#ask<Advice>({ type: 'hint', seq: this.seq })
  }

  /** Sends it until it is answered: at once, or when the connection is back. */
  #ask<T>(body: Question): Promise<T> {
    const id = makeId()
    const message = { ...body, id } as ToServer
    return new Promise<T>((resolve, reject) => {
      const sent = this.#send(message)
      this.#waiting.set(id, { message, resolve: resolve as (value: never) => void, reject, sent })
      if (!sent && body.type === 'move') this.unsent = true
    })
  }

  /** Takes a move back that has not left yet; says whether there was one. */
  withdraw(): boolean {
    const unsent = [...this.#waiting].filter(([, { message, sent }]) => message.type === 'move' && !sent)
    for (const [id] of unsent) this.#settle(id, (waiting) => waiting.reject(withdrawn()))
    this.unsent = false
    return unsent.length > 0
  }

  #settle(id: string | null, act: (waiting: Waiting) => void): void {
    const waiting = id === null ? undefined : this.#waiting.get(id)
    if (!waiting) return
    this.#waiting.delete(id!)
    act(waiting)
  }

  /** Says whether it has left. */
  #send(message: ToServer): boolean {
    const open = this.#socket?.readyState === WebSocket.OPEN
    if (open) this.#socket!.send(JSON.stringify(message))
    return open
  }

  #connect(): void {
    if (this.#closed) return
    clearTimeout(this.#timers.retry)
    const address = new URL(`/api/tables/${encodeURIComponent(this.id)}/live`, location.href)
    if (this.#chair !== null) address.searchParams.set('seat', String(this.#chair))
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    // In a header, because addresses are written into logs.
    const socket = new WebSocket(address, this.secret ? [`invite.${this.secret}`] : [])
    this.#socket?.close() // one that does not come to anything
    this.#socket = socket
    this.#lastSnapshot = null
    socket.onopen = () => {
      this.#heard = Date.now()
      this.#hello()
      for (const waiting of this.#waiting.values()) {
        waiting.sent = true
        this.#send(waiting.message)
      }
      this.unsent = false
    }
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(data)) as ToPage)
    }
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost()
    }
  }

  #hello(): void {
    this.#send({ type: 'hello', since: this.#received > 0 ? this.#received : null })
    if (document.hidden) this.#wake()
  }

  #lost(): void {
    this.#socket = null
    if (this.#closed) return
    this.link = 'lost'
    const wait = PATIENCE[Math.min(this.#failures, PATIENCE.length - 1)]!
    this.#failures += 1
    // Not all pages of a server that has come back ask in the same moment.
    this.#timers.retry = setTimeout(() => this.#connect(), wait * (0.5 + Math.random()))
  }

  #wake = (): void => {
    this.#send({ type: 'seen', seen: !document.hidden })
    if (this.link === 'lost' && !document.hidden) this.#connect()
  }

  #ping = (): void => {
    if (this.link !== 'open') return
    if (Date.now() - this.#heard > SILENCE_MEANS_LOST) this.#socket?.close()
    else this.sync()
  }

  #hear(message: ToPage): void {
    this.#heard = Date.now()
    switch (message.type) {
      case 'news':
        return this.#hear(applyDelta(message, this.#lastSnapshot!))
      case 'update':
        this.#lastSnapshot = message
        this.#failures = 0
        this.link = 'open'
        // A gap, which one socket cannot have: begin again, with everything since what we have.
        if (message.from > this.#received) return this.#socket?.close()
        if (message.seq >= this.#received) {
          this.#received = message.seq
          this.#queue.push(message)
          void this.#show()
        }
        return
      case 'ack':
        return this.#settle(message.id, (waiting) => waiting.resolve(message.seq as never))
      case 'preview':
        return this.#settle(message.id, (waiting) => waiting.resolve(message.preview as never))
      case 'about':
        return this.#settle(message.id, (waiting) => waiting.resolve(message.about as never))
      case 'hint':
        return this.#settle(message.id, (waiting) => waiting.resolve(message.advice as never))
      case 'error':
        return this.#refuse(message)
      case 'presence':
        if (this.table) {
          const online = new Set(message.online)
          const { onlookers, host_here } = message
          this.table = {
            ...this.table,
            onlookers,
            host_here,
            seats: this.table.seats.map((seat) => {
              const here = seat.kind === 'bot' || online.has(seat.seat)
              return { ...seat, online: here, gone: here && !seat.away ? undefined : (seat.gone ?? 0) }
            }),
          }
        }
        return
      case 'pong':
        this.#ahead = message.now - (this.#asked + Date.now()) / 2000
        return
      case 'thinking':
        // Not before what is still on its way to the screen: a player who thinks now has seen it.
        this.#queue.push(message)
        return void this.#show()
      default:
        this.#tell(message)
    }
  }

  /** Tells features what is theirs: an answer whoever asked, and other news whoever wants to know. */
  #tell(news: News): void {
    if (news.id) return this.#settle(news.id, (waiting) => waiting.resolve(news as never))
    this.told = { ...this.told, [news.type]: news }
    this.hear?.(news)
    dispatchEvent(new Event(news.type))
  }

  #refuse(message: ErrorAnswer): void {
    const refused = new Refused({
      title: message.code,
      status: 409,
      detail: message.detail,
      code: message.code,
      args: message.args,
    })
    if (message.id !== null && this.#waiting.has(message.id))
      this.#settle(message.id, (waiting) => waiting.reject(refused))
    else if (this.seq === 0 || /^(not_watched|unknown_table|put_out)$/.test(message.code)) this.refused = refused
  }

  /** Shows the waiting updates one after another. */
  async #show(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    for (let update = this.#queue.shift(); update; update = this.#queue.shift()) {
      const next = update
      if (next.type === 'thinking') {
        this.thinking = next.seat
        continue
      }
      // Catching up after an absence is not a film.
      const hurry = next.from === 0 || this.#queue.length > 4
      let shown = false
      const apply = (): void => {
        shown = true
        this.#apply(next)
      }
      try {
        await this.present(next, apply, hurry)
      } catch (error) {
        // The presentation of an update may fail: the update is shown all the same, and so are those after it.
        reportError(error)
        if (!shown) apply()
      }
    }
    this.#busy = false
  }

  #apply(update: Snapshot): void {
    this.table = update.table
    this.secret = update.table.invite ?? this.secret
    this.view = update.view
    this.decision = update.decision
    this.undo = update.undo
    this.canUndo = update.can_undo
    this.byBot = update.by_bot ?? 0
    this.thinking = null
    const old = update.from === 0 ? [] : this.log
    const notes = (update.notes ?? []).map((note) => ({ ...note, after: old.length + note.after }))
    this.notes = update.from === 0 ? notes : [...this.notes, ...notes]
    this.log = [...old, ...update.events]
    this.asked = update.asked
    this.seq = update.seq
  }
}

/** The snapshot that a delta makes of the last one. */
function applyDelta(delta: Delta, told: Snapshot): Snapshot {
  return {
    ...delta,
    type: 'update',
    table: changed(told.table, delta.table),
    view: changed(told.view as object, delta.view),
    decision: delta.decision ?? told.decision,
  }
}

function changed<T extends object>(before: T, { fields, items }: Changes): T {
  const lists = Object.entries(items).map(([name, delta]) => {
    const list = before[name as keyof T] as unknown[]
    return [
      name,
      list.map((item, place) =>
        place in delta ? (delta[place] && item ? { ...item, ...(delta[place] as object) } : delta[place]) : item,
      ),
    ]
  })
  return { ...before, ...fields, ...Object.fromEntries(lists) }
}

function withdrawn(): Refused {
  return new Refused({ title: WITHDRAWN, status: 0, detail: '', code: WITHDRAWN })
}
