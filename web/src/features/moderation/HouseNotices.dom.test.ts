import { expect, test, vi } from 'vitest'
import type { HouseInfo } from '../../lib/wire'
import { otherTables } from '../../table/otherTables.svelte'
import { until, words } from '../../testing/page'
import { show } from '../../testing/part'
import { Tape } from '../../testing/tape'
import { speak } from '../../testing/words'
import HouseNotices from './HouseNotices.svelte'

/** What is said over the page when the hosts of the server say this. */
async function said(info: Partial<HouseInfo>, role: string): Promise<string> {
  await speak('en')
  const tape = new Tape([])
  tape.answer('GET /api/house', { message: null, maintenance: null, words: [], barred: null, ...info })
  tape.begin()
  const place = show(HouseNotices, {})
  return words(await until(() => place.querySelector(`[role=${role}]`)))
}

test('whoever may not play is told until when, or that it is for good', async () => {
  expect(await said({ barred: '2026-12-01T14:05:00Z' }, 'alert')).toMatch(/2026/)
  expect(await said({ barred: '' }, 'alert')).not.toMatch(/\d/)
  expect(await said({ barred: '2126-12-01T14:05:00Z' }, 'alert')).not.toMatch(/\d/)
})

test('a word to a person goes as soon as the page learns that it is another person’s', async () => {
  const word = { id: 'w', phrase: 'warned', text: '', at: 1 }
  const told = (words: object[]): HouseInfo =>
    ({ message: null, maintenance: null, words, barred: null, host: false }) as unknown as HouseInfo
  await speak('en')
  const tape = new Tape([])
  tape.answer('GET /api/house', told([]))
  tape.answer('GET /api/house', told([word]))
  tape.begin()
  otherTables.going = ['mine']
  const place = show(HouseNotices, {})
  await until(() => place.querySelector('[role=alert]'))
  // They have deleted everything on another device: the list of this one is empty when it is asked for again.
  otherTables.going = []
  await until(() => !place.querySelector('[role=alert]'))
  expect(words(place)).toBe('')
})

test('an answer that comes after a later question changes nothing', async () => {
  const told = (en: string): HouseInfo =>
    ({ message: { id: en, text: { en, hu: '' } }, maintenance: null, words: [], barred: null }) as unknown as HouseInfo
  await speak('en')
  const tape = new Tape([]).answer('GET /api/house', told('Now')).answer('GET /api/house', told('Before'))
  tape.begin()
  // The first answer is on its way when the second has come.
  let come = (): void => {}
  const coming = new Promise<void>((resolve) => (come = resolve))
  const all: Promise<unknown>[] = []
  vi.stubGlobal('fetch', async (...asks: Parameters<Tape['fetch']>) => {
    const answer = tape.fetch(...asks)
    if (!String(asks[0]).endsWith('/api/house') || all.push(answer) > 1) return answer
    await coming
    return answer
  })
  const place = show(HouseNotices, {})
  await until(() => all.length === 1)
  dispatchEvent(new Event('house'))
  await until(() => words(place).includes('Now'))
  come()
  await new Promise((go) => setTimeout(go))
  expect(all.length).toBe(2)
  expect(words(place)).toContain('Now')
  expect(words(place)).not.toContain('Before')
})
