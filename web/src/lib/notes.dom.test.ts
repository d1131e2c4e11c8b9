import { beforeAll, expect, test } from 'vitest'
import { speak } from '../testing/words'
import { wordsOfNotes } from './notes'
import type { TableSession } from './tableSession.svelte'
import type { ActivityEntry } from './wire'

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

test('where nobody handed a seat on the words are the usual ones', async () => {
  const tell = await wordsOfNotes()
  expect(tell.at(session([left]), 0)).toBe('usual')
})
