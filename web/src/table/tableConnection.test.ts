import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TableConnection } from './tableConnection.svelte'
import type { Snapshot } from '../lib/wire'

class Socket {
  static readonly OPEN = 1
  static last: Socket
  readonly readyState = Socket.OPEN
  onmessage!: (message: { data: string }) => void
  constructor() {
    Socket.last = this
  }
  send(): void {}
  close(): void {}
}

const reported = vi.fn<(error: unknown) => void>()
let source: TableConnection

beforeEach(() => {
  reported.mockClear()
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined, removeEventListener: () => undefined })
  vi.stubGlobal('location', { href: 'http://host/' })
  vi.stubGlobal('reportError', reported)
  source = new TableConnection('table')
})

afterEach(() => {
  source.close()
  vi.unstubAllGlobals()
})

/** The server tells of a change, or of something else at the table. */
async function hear(seq: number, from: number, view: string): Promise<void> {
  const update: Snapshot = {
    type: 'update',
    seq,
    from,
    table: {} as Snapshot['table'],
    view,
    decision: { ask: null, legal: [], refusals: [], forced: false },
    events: [],
    undo: null,
    can_undo: null,
    asked: null,
    notes: [{ seq, at: 0, after: 0, kind: 'back', seat: 0, args: {} }],
  }
  Socket.last.onmessage({ data: JSON.stringify(update) })
  await Promise.resolve()
  await new Promise((done) => setTimeout(done))
}

test.each([
  ['before', false],
  ['after', true],
])('an update whose telling fails %s it appears is shown once, and so are those after it', async (_when, appears) => {
  const trouble = new Error('no words')
  source.present = async (update, apply) => {
    if (appears || update.view === 'third') apply()
    if (update.view !== 'third') throw trouble
  }
  await hear(1, 0, 'first')
  expect([source.seq, source.view, source.notes.length]).toEqual([1, 'first', 1])
  await hear(1, 1, 'second') // of the same change: who sits there is called otherwise now
  expect([source.seq, source.view, source.notes.length]).toEqual([1, 'second', 2])
  await hear(2, 1, 'third')
  expect([source.seq, source.view, source.notes.length]).toEqual([2, 'third', 3])
  expect(reported.mock.calls).toEqual([[trouble], [trouble]])
})
