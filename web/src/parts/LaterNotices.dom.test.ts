import { expect, test } from 'vitest'
import type { HouseInfo } from '../lib/wire'
import { otherTables } from '../lib/otherTables.svelte'
import { until, words } from '../testing/page'
import { show } from '../testing/part'
import { Tape } from '../testing/tape'
import { speak } from '../testing/words'
import LaterNotices from './LaterNotices.svelte'

/** What is said over the page when the hosts of the server say this. */
async function said(info: Partial<HouseInfo>, role: string): Promise<string> {
  await speak('en')
  const tape = new Tape([])
  tape.answer('GET /api/house', { message: null, maintenance: null, words: [], barred: null, ...info })
  tape.begin()
  const place = show(LaterNotices, { begin: () => {} })
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
  const place = show(LaterNotices, { begin: () => {} })
  await until(() => place.querySelector('[role=alert]'))
  // They have deleted everything on another device: the list of this one is empty when it is asked for again.
  otherTables.going = []
  await until(() => !place.querySelector('[role=alert]'))
  expect(words(place)).toBe('')
})
