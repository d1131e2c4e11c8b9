import { expect, test } from 'vitest'
import { told } from './openTables.svelte'
import type { OpenTable } from '../../lib/wire'

const table = (id: string, created: number, more: Partial<OpenTable> = {}): OpenTable =>
  ({ id, created, seats: [], ...more }) as unknown as OpenTable

const ids = (tables: OpenTable[]): string[] => tables.map(({ id }) => id)

test('the whole list takes the place of what was known', () => {
  expect(ids(told([table('a', 1)], { type: 'open', tables: [table('b', 2)] }))).toEqual(['b'])
})

test('changes are put where they belong, the newest table first', () => {
  const known = [table('c', 3), table('b', 2), table('a', 1)]
  const after = told(known, {
    type: 'open_changes',
    tables: [table('d', 4), table('b', 2, { running: true })],
    gone: ['c', 'never seen'],
  })
  expect(ids(after)).toEqual(['d', 'b', 'a'])
  expect(after[1]!.running).toBe(true)
})
