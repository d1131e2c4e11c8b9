/**
 * A person's notes at a table: they save themselves while they are typed. What the server does not have yet is kept in the
 * browser, and sent when it answers again, also by the next page. What another window has saved meanwhile is joined.
 */
import { json, request } from '../../lib/api'
import { connection, lost } from '../../lib/connection.svelte'
import { t, texts as catalogue } from '../../lib/i18n.svelte'
import { need } from '../../lib/parts'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import { drafts, dropDraft, keepDraft, PAGE, type Draft } from './drafts'
import { merged } from './merge'
import type { TableSession } from '../../table/tableSession.svelte'
import type { NoteInfo, NoteReadersChoice, NotesInfo, NoteText, ReadNote } from '../../lib/wire'

/** Milliseconds without a key after which is saved, and after which what could not be is tried again. */
const PAUSE = 700
const AGAIN = 4000
/** The number of the note about the table as a whole. */
export const WHOLE = 0
/** Instead of the number of moves by a moment that the server has not heard of. */
export const UNSENT = -1

const path = (table: string, what: string | number = ''): string =>
  `/api/tables/${encodeURIComponent(table)}/notes${what === '' ? '' : `/${what}`}`

/** Without characters that are no text, such as those that come with what is pasted. */
const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, '')

/** `kept`: not saved yet, and in this browser alone; `refused`: the server does not take it as it is. */
type State = 'saved' | 'saving' | 'kept' | 'refused'

export class Notes {
  info = $state.raw<NotesInfo | null>(null)
  /** Whether the panel is open. */
  open = $state(false)
  /** Whether it was opened by a press: then one wants to write. */
  pressed = false
  /** What each note says here, by its moment. */
  texts = $state.raw<Record<number, string>>({})
  state = $state<State>('saved')
  failure = $state('')
  /** Whether something of another window was joined to what was written here. */
  joined = $state(false)
  worded = $state(false)
  /** What the server has. */
  #stored: Record<number, string> = {}
  #unsaved = new Set<number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving = false
  #loading: Promise<void> | null = null
  #unkept = false

  constructor(readonly session: TableSession) {
    void need('notes').then(() => (this.worded = true))
  }

  get table(): string {
    return this.session.source.id
  }

  /** Whether it is the person of this page who plays here: a companion on their device has no notes of their own. */
  get writes(): boolean {
    return this.info !== null && this.info.seat !== null && this.info.seat === this.session.you
  }

  /** My notes that say something, in the order of the game; those without a number of moves were not sent yet. */
  get mine(): NoteInfo[] {
    const known = new Map(this.info?.mine.map((note) => [note.seq, note]))
    const unsent = (seq: number): NoteInfo => ({ seq, move: UNSENT, text: '', at: '' })
    return Object.entries(this.texts).flatMap(([seq, text]) =>
      text ? [{ ...(known.get(Number(seq)) ?? unsent(Number(seq))), text }] : [],
    )
  }

  get theirs(): ReadNote[] {
    return this.info?.theirs ?? []
  }

  /** Asks for them, once; `anew`: others may have changed something. */
  load(anew = false): Promise<void> {
    if (anew) this.#loading = null
    return (this.#loading ??= this.#load())
  }

  async #load(): Promise<void> {
    try {
      this.take(await connection.sure(() => json<NotesInfo>(request('GET', path(this.table))), true))
    } catch {
      this.#loading = null // nobody here may know of them
    }
  }

  /** Takes what the server says; what was written here since stays. */
  take(info: NotesInfo): void {
    const stored = Object.fromEntries(info.mine.map(({ seq, text }) => [seq, text]))
    const texts = { ...this.texts }
    for (const seq of new Set([...Object.keys(stored), ...Object.keys(texts)].map(Number))) {
      const now = stored[seq] ?? ''
      texts[seq] = this.#unsaved.has(seq) ? merged(this.#stored[seq] ?? '', texts[seq] ?? '', now) : now
    }
    this.#stored = stored
    this.info = info
    for (const draft of drafts().filter((one) => one.who === info.me && one.page !== PAGE)) {
      if (draft.table !== this.table) void this.#sendOther(draft)
      else {
        const { seq } = draft
        texts[seq] = merged(draft.before, draft.text, texts[seq] ?? '')
        dropDraft(draft)
        if (texts[seq] !== (stored[seq] ?? '')) this.#unsaved.add(seq)
      }
    }
    this.texts = texts
    for (const seq of this.#unsaved) this.#keep(seq)
    if (this.#unsaved.size) this.#later(0)
  }

  write(seq: number, text: string): void {
    this.texts = { ...this.texts, [seq]: plain(text) }
    this.#unsaved.add(seq)
    this.state = 'saving'
    this.joined = false
    this.failure = ''
    this.#keep(seq)
    this.#later(PAUSE)
  }

  /** Saves at once: the page may go. */
  hurry = (): void => {
    if (this.#unsaved.size) this.#later(0)
  }

  /** A private window may keep nothing: then who leaves the page is asked. */
  leave = (event: BeforeUnloadEvent): void => {
    if (this.#unkept && this.#unsaved.size) event.preventDefault()
  }

  async letRead(readers: NoteReadersChoice['readers']): Promise<void> {
    const choice: NoteReadersChoice = { readers }
    try {
      this.take(await json<NotesInfo>(request('PUT', path(this.table, 'readers'), choice)))
      this.failure = ''
    } catch (error) {
      this.failure = this.#explain(error)
    }
  }

  /** Nothing more is saved by this page; what is not yet is kept for the next. */
  close(): void {
    clearTimeout(this.#timer)
    if (this.#unsaved.size) void this.#save()
  }

  #draft(seq: number): Draft {
    const [text, before] = [this.texts[seq] ?? '', this.#stored[seq] ?? '']
    return { who: this.info?.me ?? '', table: this.table, seq, page: PAGE, text, before }
  }

  #keep(seq: number): void {
    this.#unkept = !keepDraft(this.#draft(seq))
  }

  #later(pause: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#save(), pause)
  }

  async #save(): Promise<void> {
    if (this.#saving) return
    this.#saving = true
    try {
      for (;;) {
        const [seq] = this.#unsaved
        if (seq === undefined) break
        await this.#saveOne(seq)
      }
      this.state = 'saved'
    } catch (error) {
      const refused = error instanceof Refused ? error.problem : null
      const passes = lost(error) || refused?.status === 429
      this.state = passes ? 'kept' : 'refused'
      this.failure = passes ? '' : this.#explain(error)
      if (passes) this.#later(1000 * Number(refused?.args?.retry ?? 0) || AGAIN)
    } finally {
      this.#saving = false
    }
  }

  async #saveOne(seq: number): Promise<void> {
    const draft = this.#draft(seq)
    const { text, before } = draft
    const theirs = await put(draft)
    if (typeof theirs === 'string') {
      // Another window was faster.
      this.texts = { ...this.texts, [seq]: merged(before, this.texts[seq] ?? '', theirs) }
      this.#stored[seq] = theirs
      this.joined = true
      this.#keep(seq)
      return
    }
    this.#stored[seq] = theirs.text
    const info = this.info!
    const mine = [...info.mine.filter((one) => one.seq !== seq), theirs].sort((one, other) => one.seq - other.seq)
    this.info = { ...info, mine }
    // What is nothing but spaces is no note.
    if (!theirs.text && this.texts[seq] === text) this.texts = { ...this.texts, [seq]: '' }
    if ((this.texts[seq] ?? '') === theirs.text) {
      this.#unsaved.delete(seq)
      dropDraft(draft)
    } else this.#keep(seq)
  }

  /** Sends what was written at another table, where the page was closed too early. */
  async #sendOther(draft: Draft): Promise<void> {
    let now = draft
    for (let tries = 0; tries < 3; tries++) {
      let found: NoteInfo | string
      try {
        found = await put(now)
      } catch (error) {
        // The table is deleted, or not theirs any more: nobody will ever take it.
        if (error instanceof Refused && [403, 404].includes(error.problem.status)) dropDraft(draft)
        return
      }
      if (typeof found !== 'string') return dropDraft(draft)
      now = { ...now, text: merged(now.before, now.text, found), before: found }
    }
  }

  #explain(error: unknown): string {
    const problem = error instanceof Refused ? error.problem : null
    const key = `notes.error.${problem?.code ?? ''}`
    return problem && catalogue.has(key) ? t(key, problem.args ?? {}) : explain(error)
  }
}

/** Saves a note; returns it, or what another window has made of it. */
async function put(draft: Draft): Promise<NoteInfo | string> {
  const { text, before } = draft
  try {
    return await json<NoteInfo>(request('PUT', path(draft.table, draft.seq), { text, before } satisfies NoteText))
  } catch (error) {
    const problem = error instanceof Refused ? error.problem : null
    if (problem?.code === 'note_changed') return String(problem.args?.text ?? '')
    throw error
  }
}

const known = new WeakMap<TableSession, Notes>()

/** The notes of a table, as its page knows them. */
export function notesOf(session: TableSession): Notes {
  const found = known.get(session) ?? new Notes(session)
  known.set(session, found)
  return found
}
