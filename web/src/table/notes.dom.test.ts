import { beforeAll, expect, test } from 'vitest'
import { speak } from '../testing/words'
import { wordsOfNotes } from './notes'
import type { TableSession } from './tableSession.svelte'
import type { ActivityEntry } from '../lib/wire'

beforeAll(() => speak('en'))

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
    "Béla's predecessor has left the table for now.",
    'Béla has taken over the seat.',
    'Béla is back.',
  ])
  const nameOf = (at: number, seat: number, replaying = false): unknown =>
    tell.at(session([left, handed, back], replaying), at)('ui.end.won', { winners: [seat] })
  expect([3, 4].map((at) => nameOf(at, 0))).toEqual(["Béla's predecessor won.", 'Béla won.'])
  expect(nameOf(0, 1)).toBe('Csilla won.')
  // Two frames, of two events each, were before it.
  expect([3, 4].map((at) => nameOf(at, 0, true))).toEqual(["Béla's predecessor won.", 'Béla won.'])
  expect(nameOf(Infinity, 0)).toBe('Béla won.')
})

test('a refusal says of what it is, and whether it was taken back', async () => {
  const tell = await wordsOfNotes()
  const said = (kind: string, args: ActivityEntry['args'], seat: number | null = 0): string =>
    tell(session([]), { ...note(3, 2, kind, 0), seat, args })
  expect([
    said('undo_no', { asked: 'undo' }),
    said('undo_no', { moved: 1 }),
    said('undo_no', { asked: 'undo', withdrawn: 1 }),
    said('undo_no', { asked: 'undo' }, null),
    ...['pause', 'end', 'time'].map((asked) => said('vote_no', { asked })),
    said('vote_no', { asked: 'end', withdrawn: 1 }),
    said('vote_no', { asked: 'end' }, null),
  ]).toEqual([
    'Béla does not agree to the undo: the move stands.',
    'Béla has moved on: the move before stands.',
    'Béla no longer asks to undo the move.',
    'The undo was not agreed to in time.',
    'Béla does not agree to a pause.',
    'Béla does not agree to end the game.',
    'Béla does not want to wait longer.',
    'Béla no longer asks for it.',
    'Not everybody has answered; nothing changes.',
  ])
})

test('where nobody handed a seat on the words are the usual ones', async () => {
  const tell = await wordsOfNotes()
  expect(tell.at(session([left]), 0)).toBe('usual')
})
