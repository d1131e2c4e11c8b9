import { expect, test } from 'vitest'
import type { HouseInfo } from '../lib/wire'
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
