import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GAP, OpenNews, WAIT } from './openNews'
import type { OpenTable } from '../../lib/wire'

const tables = (...ids: string[]): OpenTable[] => ids.map((id) => ({ id }) as OpenTable)

let said: string[]
let news: OpenNews
const names = (those: OpenTable[]): string => those.map(({ id }) => id).join('')

beforeEach(() => {
  vi.useFakeTimers()
  said = []
  news = new OpenNews((came, gone) => said.push(`+${names(came)} -${names(gone)}`))
})
afterEach(() => vi.useRealTimers())

test('the list that is there first is no news; what comes and goes is told', () => {
  news.take(tables('a', 'b'))
  vi.advanceTimersByTime(GAP)
  expect(said).toEqual([])
  news.take(tables('c', 'a'))
  expect(said).toEqual([])
  vi.advanceTimersByTime(WAIT)
  expect(said).toEqual(['+c -b'])
})

test('however much happens, there is one sentence every few seconds', () => {
  news.take([])
  vi.advanceTimersByTime(WAIT)
  const end = 3 * GAP
  for (let at = 0; at < end; at += 100) {
    news.take(tables(...Array.from({ length: 1 + at / 100 }, (_, n) => `${n}.`)))
    vi.advanceTimersByTime(100)
  }
  expect(said.length).toBe(3)
})

test('what came and went again is not told, nor a table that only changes', () => {
  news.take(tables('a'))
  vi.advanceTimersByTime(WAIT)
  news.take(tables('a', 'b'))
  news.take(tables('a'))
  vi.advanceTimersByTime(GAP)
  expect(said).toEqual([])
})

test('nothing is told of what happened while nobody looked', () => {
  news.take(tables('a'))
  vi.advanceTimersByTime(WAIT)
  news.take(tables('a', 'b'))
  news.forget()
  vi.advanceTimersByTime(2 * GAP)
  expect(said).toEqual([])
  news.take(tables('c'))
  vi.advanceTimersByTime(GAP)
  expect(said).toEqual([])
  news.take(tables('c', 'd'))
  vi.advanceTimersByTime(WAIT)
  expect(said).toEqual(['+d -'])
})
