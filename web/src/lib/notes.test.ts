import { expect, test, vi } from 'vitest'
import { wordsOfNotes } from './notes'
import type { TableSession } from './tableSession.svelte'
import type { ActivityEntry } from './wire'

// Each text is its key, with the names in it.
vi.mock('./i18n.svelte', () => ({
  t: (key: string, { who = '', name = '' }: Record<string, string>) => [key, who || name].join(' '),
  texts: { has: () => false, language: 'en' },
  speaker: (_: string, seatName: (seat: number) => string) => (seat: number) => seatName(seat),
}))
vi.mock('./catalogue', () => ({ words: async () => undefined }))

const note = (seq: number, after: number, kind: string, seat: number): ActivityEntry => ({
  seq,
  after,
  kind,
  seat,
  at: 0,
  args: {},
})

function session(notes: ActivityEntry[], replaying = false): TableSession {
  const names = ['Béla', 'Csilla']
  const frames = [2, 4, 8].map((seq) => ({ seq, events: [{}, {}] }))
  return {
    source: { notes },
    name: (seat: number) => names[seat],
    replaying,
    frames,
    say: 'usual',
  } as unknown as TableSession
}

const [left, handed, back] = [note(3, 2, 'away', 0), note(5, 4, 'handed', 0), note(6, 4, 'back', 0)]

test('what was done before a seat was handed on is not told of whoever has it now', async () => {
  const tell = await wordsOfNotes()
  const here = session([left, handed, back])
  expect([left, handed, back].map((one) => tell(here, one))).toEqual([
    'note.away note.former Béla',
    'note.handed Béla',
    'note.back Béla',
  ])
  const nameOf = (at: number, seat: number, replaying = false): unknown =>
    (tell.at(session([left, handed, back], replaying), at) as unknown as (seat: number) => string)(seat)
  expect([3, 4].map((at) => nameOf(at, 0))).toEqual(['note.former Béla', 'Béla'])
  expect(nameOf(0, 1)).toBe('Csilla')
  // Two frames, of two events each, were before it.
  expect([3, 4].map((at) => nameOf(at, 0, true))).toEqual(['note.former Béla', 'Béla'])
  expect(nameOf(Infinity, 0)).toBe('Béla')
})

test('where nobody handed a seat on the words are the usual ones', async () => {
  const tell = await wordsOfNotes()
  expect(tell.at(session([left]), 0)).toBe('usual')
})
