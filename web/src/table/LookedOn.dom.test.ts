import { beforeEach, expect, test, vi } from 'vitest'
import { lookedOn, lookOn } from './lookedOn'
import { all, press, until, words } from '../testing/page'
import { show } from '../testing/part'
import { Tape } from '../testing/tape'
import { speak } from '../testing/words'
import LookedOn from './LookedOn.svelte'

const table = (id: string, more: object = {}): object => ({
  id,
  status: 'playing',
  game: 'none',
  seats: [],
  actors: [],
  updated: '2026-11-28T20:00:00Z',
  you: null,
  host: false,
  rematch: null,
  ...more,
})
const GONE = { title: '', status: 404, detail: '', code: 'unknown_table' }

async function shown(answers: Record<string, object>): Promise<string[]> {
  const server = new Tape([])
  for (const [id, answer] of Object.entries(answers))
    server.answer(`GET /api/tables/${id}`, answer, answer === GONE ? 404 : 200)
  await speak('en')
  vi.stubGlobal('fetch', (address: string) => server.fetch(address))
  const place = show(LookedOn, {})
  await new Promise((done) => setTimeout(done))
  await until(() => lookedOn().length === 0 || place.querySelector('ul'))
  return [...place.querySelectorAll('a')].map((link) => link.hash)
}

beforeEach(() => localStorage.clear())

test('tables at which one looks on stand in a list, and one tap takes them off it', async () => {
  lookOn('a', 'one')
  lookOn('b', '')
  lookOn('a', 'one')
  expect(await shown({ a: table('a'), b: table('b') })).toEqual(['#/table/a/one', '#/table/b'])
  expect(words(document.body)).toContain('You look on')
  await press(all('button', /^Take off the list/)[0]!)
  expect(lookedOn()).toEqual([{ id: 'b', secret: '' }])
  expect(document.querySelectorAll('li')).toHaveLength(1)
})

test('where the same people play again, their next game is there instead', async () => {
  lookOn('a', 'one')
  const next = await shown({ a: table('a', { status: 'finished', rematch: 'c' }), c: table('c') })
  expect(next).toEqual(['#/table/c/one'])
  expect(lookedOn()).toEqual([{ id: 'c', secret: 'one' }])
})

test('what is gone, and where one has sat down or is asked to, is not there', async () => {
  for (const id of ['gone', 'mine', 'cleared', 'asked']) lookOn(id, 'x')
  expect(
    await shown({
      gone: GONE,
      mine: table('mine', { you: 1 }),
      cleared: table('cleared', { status: 'expired' }),
      asked: table('asked', { status: 'waiting', seats: [{ seat: 0, kind: 'open', name: '', kept: 'you' }] }),
    }),
  ).toEqual([])
  expect(lookedOn()).toEqual([])
})
