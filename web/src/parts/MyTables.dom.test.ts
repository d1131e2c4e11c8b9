import { expect, test } from 'vitest'
import type { TableInfo } from '../lib/wire'
import { until, words } from '../testing/page'
import { show } from '../testing/part'
import { speak } from '../testing/words'
import MyTables from './MyTables.svelte'

const table = (id: string, status: TableInfo['status']): TableInfo =>
  ({ id, status, game: 'none', seats: [], actors: [], updated: '2026-11-28T20:00:00Z' }) as unknown as TableInfo

/** The headings, and the tables under each. */
async function shown(part: 'going' | 'over', tables: TableInfo[]): Promise<Record<string, string[]>> {
  await speak('en')
  const place = show(MyTables, { tables, part, yours: ({ id }: TableInfo) => id === 'mine', last: false })
  await until(() => place.querySelector('ul'))
  const links = [...place.querySelectorAll('ul')].map((list) =>
    [...list.querySelectorAll('a')].map(({ hash }) => hash.split('/').at(-1)!),
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
