/** What is said at a table: lines as they come, what is new, and what this browser does not want to hear. */
import { json, request } from '../../lib/api'
import { t, texts } from '../../lib/i18n.svelte'
import { recall, keep } from '../../lib/kept'
import { nameOf } from '../../table/names'
import { need } from '../../lib/parts'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import { caughtUp, merged } from './talkLines'
import { talkSettings } from './talkSettings.svelte'
import type { TableTalk } from '../../table/feature'
import type { TableSession } from '../../table/tableSession.svelte'
import type { LineReport, Said, SaidLine, Saying, TalkAnswer } from '../../lib/wire'
import Aside from './TalkAside.svelte'
import Button from './TalkButton.svelte'
import Panel from './TalkPanel.svelte'
import Place from './TalkPlace.svelte'

const MUTED = 'ziggurat.muted'
const READ = 'ziggurat.read'
/** What a person was about to say who had to say their name first: until the page is there again. */
const DRAFT = 'ziggurat.draft'
/** People who are muted, and tables of which is known what was read; the oldest go. */
const KEPT = 300
/** Milliseconds for which a new line is shown next to the button. */
const SHOWN = 6000

/** Which ready phrases are at hand; all others follow. */
const AT_HAND: Record<'waiting' | 'playing' | 'over', Saying[]> = {
  waiting: ['hello', 'welcome', 'good_luck', 'ready', 'one_moment'],
  playing: ['nice_move', 'thanks', 'one_moment', 'your_turn', 'oops'],
  over: ['good_game', 'well_played', 'thanks', 'again', 'bye'],
}
/** Every phrase, in the order in which a game goes. */
const PHRASES: Record<Saying, null> = {
  hello: null,
  welcome: null,
  good_luck: null,
  ready: null,
  one_moment: null,
  back: null,
  take_your_time: null,
  your_turn: null,
  still_there: null,
  nice_move: null,
  lucky: null,
  ouch: null,
  wow: null,
  oops: null,
  sorry: null,
  no_problem: null,
  thanks: null,
  yes: null,
  no: null,
  close: null,
  well_played: null,
  good_game: null,
  again: null,
  must_go: null,
  bye: null,
}

function listed<T>(key: string): T[] {
  const kept = recall<unknown>(key, [])
  return Array.isArray(kept) ? (kept as T[]) : []
}

/** Loads the words, and begins. */
export async function begin(session: TableSession): Promise<Talk> {
  await need('talk')
  return new Talk(session)
}

/** A line that is on its way, and is seen already. */
interface Outgoing {
  id: number
  phrase?: Saying
  text?: string
}

export class Talk implements TableTalk {
  readonly Aside = Aside
  readonly Button = Button
  readonly Panel = Panel
  readonly Place = Place
  lines = $state.raw<SaidLine[]>([])
  outgoing = $state.raw<Outgoing[]>([])
  /** Whether there are lines before the first one. */
  more = $state(false)
  /** Whether the last page was asked for, and whether it is there. */
  loaded = $state(false)
  /** Whether it is open where it has to be opened. */
  open = $state(false)
  muted = $state.raw<string[]>(listed<string>(MUTED))
  /** How many lines came that were not seen; after a while away it is only known that there are some. */
  unread = $state(0)
  /** The line that came last, for as long as it is shown next to the button. */
  fresh = $state.raw<SaidLine | null>(null)
  /** What was said last, for those who listen. */
  spoken = $state('')
  /** What is being written; it stays when a window is turned. */
  draft = $state('')
  failure = $state('')
  /** Whether the server wants to know what this person is called before they talk. */
  nameless = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined
  #next = 0
  /** How many panels show what is said. */
  #panels = 0

  constructor(readonly session: TableSession) {
    session.source.hear = (news) => news.type === 'said' && this.#hear((news as Said).line)
    try {
      this.draft = sessionStorage.getItem(DRAFT) ?? ''
      this.open = this.draft !== ''
      sessionStorage.removeItem(DRAFT)
    } catch {
      // A private window may refuse.
    }
  }

  /** Whether the table and this person want it. */
  get wanted(): boolean {
    return talkSettings.on && this.session.source.table?.policy.talk !== 'off'
  }

  /** Whether anything but ready phrases can be said. */
  get free(): boolean {
    return (this.session.source.table?.policy.talk ?? 'free') === 'free'
  }

  /** Whether only onlookers hear this person now. */
  get onBench(): boolean {
    const { table } = this.session.source
    return table?.status === 'playing' && table.you === null
  }

  /** The ready phrases: those at hand, or all. */
  phrases(all: boolean): Saying[] {
    const { status } = this.session.source.table!
    const now = AT_HAND[status === 'waiting' || status === 'playing' ? status : 'over']
    return all ? [...now, ...(Object.keys(PHRASES) as Saying[]).filter((one) => !now.includes(one))] : now
  }

  /** Lines of people who are not muted, and one line for each row of those who are. */
  get shown(): SaidLine[] {
    return this.lines.filter(
      (line, at) => !this.muted.includes(line.who) || this.lines[at - 1]?.who !== line.who || at === 0,
    )
  }

  name({ name, seat }: SaidLine): string {
    const info = typeof seat === 'number' ? this.session.seat(seat) : undefined
    return name || (info ? nameOf({ ...info, name: '' }, this.session.seats) : t('ui.seat.guest'))
  }

  /** What was said, in the reader's language. */
  text({ phrase, text }: { phrase?: string; text?: string }): string {
    const key = `talk.phrase.${phrase}`
    return phrase && texts.has(key) ? t(key) : text || phrase || ''
  }

  /**
   * Asks for what was said meanwhile: whether there is anything new, and all of it where it is read. `anew`: there may be
   * lines between those that are known, because more may be heard now.
   */
  async catchUp(anew = false): Promise<void> {
    const reads = this.#panels > 0 || this.loaded
    const page = await this.#ask(reads ? {} : { most: 1 })
    const newest = page.lines.at(-1)
    if (reads) {
      const { lines, more } = caughtUp(anew ? { lines: [], more: false } : this, page)
      this.lines = lines
      this.more = more
      this.loaded = true
    }
    if (this.#panels) this.#read()
    else if (newest && !newest.mine && newest.at > this.#last && !this.muted.includes(newest.who)) this.unread ||= 1
  }

  async earlier(): Promise<void> {
    const { lines, more } = await this.#ask({ before: this.lines[0]?.at ?? null })
    this.lines = merged(lines, this.lines)
    this.more = more
  }

  #ask(wish: { before?: number | null; most?: number }): Promise<TalkAnswer> {
    return this.session.source.say<TalkAnswer>({ type: 'talk', ...wish })
  }

  /** A panel shows what is said, from now on. */
  async show(): Promise<void> {
    this.#panels += 1
    this.fresh = null
    this.#read()
    if (!this.loaded) await this.catchUp()
  }

  /** A panel is gone. */
  hide(): void {
    this.#read()
    this.#panels -= 1
    this.failure = ''
  }

  async say(said: { phrase: Saying } | { text: string }): Promise<boolean> {
    const id = this.#next++
    this.failure = ''
    this.outgoing = [...this.outgoing, { id, ...said }]
    try {
      await this.session.source.say({ type: 'say', ...said })
      return true
    } catch (error) {
      const code = error instanceof Refused ? error.problem.code : ''
      this.nameless = code === 'name_first' || code === 'name_taken'
      if (code !== 'name_first') this.failure = this.explain(error)
      return false
    } finally {
      this.outgoing = this.outgoing.filter((one) => one.id !== id)
    }
  }

  mute(who: string, wish: boolean): void {
    this.muted = this.muted.filter((one) => one !== who)
    if (wish) this.muted = [...this.muted, who]
    keep(MUTED, this.muted.slice(-KEPT))
  }

  /** Tells the hosts of a line, and what it is about; the speaker is muted or blocked with it. */
  async report({ at, who }: SaidLine, about: LineReport['about'], mute: boolean, block: boolean): Promise<void> {
    const told: LineReport = { line: at, about, block }
    await request('POST', `/api/tables/${encodeURIComponent(this.session.source.id)}/reports`, told)
    if (mute) this.mute(who, true)
  }

  /** Tells the server what this person is called, and comes back as they. */
  async introduce(name: string): Promise<void> {
    await json(request('PUT', '/api/me', { name }))
    try {
      sessionStorage.setItem(DRAFT, this.draft)
    } catch {
      // A private window may refuse.
    }
    location.reload()
  }

  explain(error: unknown): string {
    const problem = error instanceof Refused ? error.problem : null
    const key = `talk.error.${problem?.code ?? ''}`
    return problem && texts.has(key) ? t(key, problem.args ?? {}) : explain(error)
  }

  #hear(line: SaidLine): void {
    if (this.loaded) this.lines = merged(this.lines, [line])
    if (line.phrase === 'taken') {
      // A host has taken it away: nothing new was said.
      if (this.fresh?.at === line.at) this.fresh = null
      return
    }
    if (this.#panels) this.#read()
    if (line.mine || this.muted.includes(line.who)) return
    this.spoken = `${this.name(line)}: ${this.text(line)}`
    if (this.#panels) return
    this.unread += 1
    this.fresh = line
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.fresh = null), SHOWN)
  }

  /** The last line of this table that was read in this browser. */
  get #last(): number {
    const found = listed<[string, number]>(READ).find(([table]) => table === this.session.source.id)
    return found?.[1] ?? 0
  }

  #read(): void {
    this.unread = 0
    const newest = this.lines.at(-1)?.at
    if (!newest || newest <= this.#last) return
    const others = listed<[string, number]>(READ).filter(([table]) => table !== this.session.source.id)
    keep(READ, [...others, [this.session.source.id, newest]].slice(-KEPT))
  }
}
