import { expect, test } from 'vitest'
import type { SeatInfo, TableInfo, WaitsInfo } from '../lib/wire'
import { until, words } from '../testing/page'
import { show } from '../testing/part'
import { speak } from '../testing/words'
import MyTables from './MyTables.svelte'

const SEATS = ['Ada', 'Béla', 'Cili'].map((name, seat) => ({ seat, kind: 'human', name, bot: null, you: seat === 0 }))

const table = (id: string, status: TableInfo['status'], more: Partial<TableInfo> = {}): TableInfo =>
  ({
    id,
    status,
    game: 'none',
    seats: [],
    actors: [],
    updated: '2026-11-28T20:00:00Z',
    ...more,
  }) as unknown as TableInfo
const waits = (wishes: WaitsInfo['wishes'], seats: number[] = [], moment: string | null = null): WaitsInfo => ({
  wishes,
  seats,
  until: moment,
})

/** The list of these tables, in a language. */
async function list(
  part: 'going' | 'over',
  tables: TableInfo[],
  what: Record<string, WaitsInfo>,
  language: 'en' | 'hu' = 'en',
): Promise<HTMLElement> {
  await speak(language)
  const place = show(MyTables, { tables, part, waits: what, last: false })
  await until(() => place.querySelector('ul'))
  return place
}

/** The headings, and the tables under each. */
async function shown(
  part: 'going' | 'over',
  tables: TableInfo[],
  what: Record<string, WaitsInfo> = { mine: waits(['turn']) },
): Promise<Record<string, string[]>> {
  const place = await list(part, tables, what)
  const links = [...place.querySelectorAll('ul')].map((some) =>
    [...some.querySelectorAll('a')].map(({ hash }) => hash.split('/').at(-1)!),
  )
  const headings = [...place.querySelectorAll('h3')].map(words)
  return Object.fromEntries(links.map((ids, at) => [headings[at] ?? '', ids]))
}

test('those that go on are sorted by whose turn it is, and those that are over stand together', async () => {
  const going = [table('other', 'playing'), table('open', 'waiting'), table('mine', 'playing')]
  expect(Object.values(await shown('going', going))).toEqual([['mine'], ['other'], ['open']])
  const over = [table('won', 'finished'), table('left', 'ended')]
  expect(Object.values(await shown('over', over))).toEqual([['won', 'left']])
})

test('a heading stands over each kind, unless there is only one that goes on', async () => {
  expect(Object.keys(await shown('going', [table('mine', 'playing'), table('other', 'playing')]))).not.toContain('')
  expect(Object.keys(await shown('going', [table('mine', 'playing')]))).toEqual([''])
})

test('what waits for one stands where it does, whatever it is, and what has to be done first comes first', async () => {
  const what = {
    calm: waits(['turn']),
    late: waits(['turn'], [], '2026-12-02T10:00:00Z'),
    soon: waits(['answer'], [], '2026-12-01T10:00:00Z'),
  }
  const tables = ['other', 'calm', 'late', 'soon'].map((id) => table(id, 'playing'))
  expect(await shown('going', tables, what)).toEqual({
    'Waiting for you': ['soon', 'late', 'calm'],
    'Going on': ['other'],
  })
})

/** What a row says of a table, in a language. */
async function says(what: WaitsInfo, more: Partial<TableInfo> = {}, language: 'en' | 'hu' = 'en'): Promise<string> {
  const one = table('one', 'playing', { seats: SEATS as unknown as SeatInfo[], ...more })
  return words((await list('going', [one], { one: what }, language)).querySelector('a')!)
}

test.each([
  ['en', 'Your turn until ', 'An answer is asked of you', /Wednesday.*Dec/],
  ['hu', 'Te jössz dec. 2., szerda 10:05‑ig', 'Választ várnak tőled', /szerda/],
] as const)('a row says what is awaited, and by days until when: %s', async (language, turn, answer, day) => {
  const moment = new Date(2026, 11, 2, 10, 5).toISOString()
  const own = await says(waits(['turn'], [0], moment), {}, language)
  expect(own).toContain(turn)
  expect(own).toMatch(day)
  expect(own).toMatch(/10:05/)
  // When something happened there last would only be taken for it.
  expect(own).not.toMatch(/28/)
  expect(await says(waits(['answer']), {}, language)).toContain(answer)
  expect(await says(waits(['turn', 'answer']), {}, language)).toContain(` · ${answer}`)
})

test('a row never says that one waits for oneself, nor for a move while others are asked something', async () => {
  // Ada has asked for an undo, which Cili has yet to answer; it would be Ada's turn.
  expect(await says(waits([], [2]), { actors: [0] })).toContain('Waiting for Cili')
  expect(await says(waits([], [0]), { actors: [0] })).toContain('You have left it for now')
  const paused = { control: { kind: 'days' }, seats: [], paused: Date.UTC(2026, 11, 1) / 1000 }
  expect(await says(waits([]), { actors: [0], time: paused as unknown as TableInfo['time'] })).toContain('Paused until')
})
