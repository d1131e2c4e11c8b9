/**
 * The server, as far as a test is told: what it once answered (`tests/server/recorded.py`), played to the page at its
 * border, which is `fetch` and `WebSocket`. All that the page asks and says is kept.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { vi } from 'vitest'
import { answer } from '../../scripts/words.mjs'
import type { Snapshot, ToPage, ToServer } from '../lib/wire'

/** What was asked over HTTP, said at a socket, or done by others, and what was heard of it. */
type Line =
  | { ask: string; status: number; body?: unknown; answer?: unknown }
  | { at: string; says: Said; secret?: string; hears: ToPage[] }
  | { at: string; when: string; hears: ToPage[] }

interface Said {
  type: ToServer['type']
  id?: string
}
type Exchange = Extract<Line, { hears: ToPage[] }>

/** What was asked over HTTP, as a test reads it. */
interface Asked {
  ask: string
  body?: unknown
}

/** Tests run in `web/`. */
const HOME = resolve('..')

const same = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, part]) => [name, sorted(part)]),
        )
      : value

/** What was said, whatever the question is called. */
const plain = (message: Said): unknown => ({ ...message, id: '' })

/** The recording of a story: of a game's, or of the house's. `instead`: with something else in it than was said. */
export function tape(story: string, game = '', instead = (text: string): string => text): Tape {
  const folder = game ? `games/${game}` : 'server'
  const text = readFileSync(`${HOME}/tests/${folder}/recorded/${story}.json`, 'utf8')
  return new Tape(JSON.parse(instead(text)) as Line[])
}

export class Tape {
  /** What the page said at its sockets because somebody wanted it, in order. */
  readonly said: Said[] = []
  /** What it asked over HTTP: all that was more than reading. */
  readonly asked: Asked[] = []
  /** All sockets that it opened. */
  readonly sockets: Socket[] = []
  /** Whether nothing comes through. */
  offline = false
  #told = new Set<Line>()
  #given = new Set<Line>()

  constructor(readonly lines: Line[]) {}

  /** The table of the recording, as it was told first. */
  get table(): string {
    return this.exchanges[0]!.at.split('/')[3]!
  }

  /** Where its page is: for those who look on with the secret of an invitation. */
  get address(): string {
    const hello = this.exchanges[0]!
    const secret = 'secret' in hello ? `/${hello.secret}` : ''
    return `#/table/${this.table}${secret}`
  }

  /** The same, whatever each question is called. */
  get sent(): unknown[] {
    return this.said.map(plain)
  }

  /** The moves that the recording answers. */
  get moves(): unknown[] {
    return this.exchanges.flatMap((line) => ('says' in line && line.says.type === 'move' ? [plain(line.says)] : []))
  }

  get exchanges(): Exchange[] {
    return this.lines.filter((line): line is Exchange => 'hears' in line)
  }

  /** The first state that was told at a table; changed, it is told as it was changed. */
  get state(): Snapshot {
    return this.exchanges[0]!.hears.find((message): message is Snapshot => message.type === 'update')!
  }

  /** Another answer than the recorded one: by its status a refusal. */
  answer(ask: string, answer: unknown, status = 200): this {
    this.lines.unshift({ ask, answer, status })
    this.#given.add(this.lines[0]!)
    return this
  }

  /** What is heard at the table by whoever says this, and is not recorded: what a search has found. */
  replies(says: Said & Record<string, unknown>, ...hears: ToPage[]): this {
    this.lines.push({ at: this.exchanges[0]!.at, says, hears })
    return this
  }

  /** Others do what the recording has under this name. */
  happen(when: string): void {
    const line = this.exchanges.find((one) => 'when' in one && one.when === when)
    if (!line) throw new Error(`nothing is recorded under ${when}`)
    this.sockets.findLast(({ at }) => at === line.at)!.hear(...line.hears)
  }

  /** What the server says by itself as soon as it is connected. */
  welcome(address: string): ToPage[] {
    return this.exchanges.find((one) => one.at === address && 'when' in one && one.when === 'it opens')?.hears ?? []
  }

  /** Plays at the border of the page, until the next test. */
  begin(): void {
    vi.stubGlobal('fetch', (address: string | URL, wants?: RequestInit) => this.fetch(String(address), wants))
    vi.stubGlobal(
      'WebSocket',
      class extends Socket {
        constructor(address: string | URL) {
          super(playing, String(address))
        }
      },
    )
    // oxlint-disable-next-line typescript/no-this-alias -- the class above has a `this` of its own
    const playing: Tape = this
  }

  async fetch(address: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
    if (this.offline) throw new TypeError('Failed to fetch')
    if (/^(?!\/api).*\/words\/.*json$/.test(address)) {
      const words = answer(`${HOME}/src/ziggurat`, address)
      return new Response(JSON.stringify(words ?? {}), { status: words ? 200 : 404 })
    }
    const file = address.replace(/^\/@fs/, '').replace(/\?.*$/, '')
    if (!address.startsWith('/api')) {
      const path = [file, `${HOME}/web${file}`].find((one) => existsSync(one))
      return path
        ? new Response(readFileSync(path, 'utf8'))
        : new Response('', { status: address === './' ? 200 : 404 })
    }
    const ask = `${method} ${address}`
    const sent = body === undefined ? undefined : (JSON.parse(String(body)) as unknown)
    if (method !== 'GET') this.asked.push({ ask, ...(sent === undefined ? {} : { body: sent }) })
    const all = this.lines.filter((line) => 'ask' in line && line.ask === ask)
    const given = all.filter((line) => this.#given.has(line) && !this.#told.has(line))
    const exact = all.filter((line) => 'ask' in line && line.body !== undefined && same(line.body, sent))
    const any = all.filter((line) => 'ask' in line && line.body === undefined)
    const fitting = [given, exact, any].find((some) => some.length) ?? []
    const line = fitting.find((one) => !this.#told.has(one)) ?? fitting.at(-1)
    if (!line || !('ask' in line)) {
      const problem = { title: 'Not recorded', status: 404, detail: ask, code: 'not_found' }
      return new Response(JSON.stringify(problem), { status: 404 })
    }
    this.#told.add(line)
    const text = typeof line.answer === 'string' ? line.answer : JSON.stringify(line.answer)
    return new Response(line.status === 204 ? null : text, { status: line.status })
  }

  /** What answers a message of the page: the next of the recording that is the same. */
  reply(address: string, message: Said): ToPage[] {
    const fits = (line: Line): line is Extract<Line, { says: Said }> =>
      'says' in line && line.at === address && same(plain(line.says), plain(message))
    const line = this.lines.find((one) => fits(one) && !this.#told.has(one)) ?? this.lines.findLast(fits)
    if (!line || !('hears' in line)) return []
    this.#told.add(line)
    return line.hears.map((heard) => ('id' in heard ? { ...heard, id: message.id } : heard) as ToPage)
  }
}

/** What the page says by itself: that it is there, and what it asks in order to know what was said. */
const QUIET = /^(hello|ping|seen|talk)$/

/** A socket that answers as the recording does. */
export class Socket {
  static readonly OPEN = 1
  readyState = 0
  onopen?: () => void
  onmessage?: (message: { data: string }) => void
  onclose?: () => void
  readonly at: string

  constructor(
    readonly tape: Tape,
    address: string,
  ) {
    this.at = new URL(address).pathname + new URL(address).search
    tape.sockets.push(this)
    queueMicrotask(() => {
      if (this.readyState > Socket.OPEN) return // given up before it came to anything
      if (tape.offline) return this.close()
      this.readyState = Socket.OPEN
      this.onopen?.()
      this.hear(...tape.welcome(this.at))
    })
  }

  send(data: string): void {
    const message = JSON.parse(data) as Said
    if (!QUIET.test(message.type)) this.tape.said.push(message)
    const told = this.tape.reply(this.at, message)
    queueMicrotask(() => this.hear(...told))
  }

  hear(...messages: ToPage[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) })
  }

  close(): void {
    this.readyState = 3
    queueMicrotask(() => this.onclose?.())
  }
}
