/** What a browser remembers of those who have tables. */
import { expect, test } from 'vitest'
import { otherTables } from '../../../table/otherTables.svelte'
import type { MyTurns } from '../../../lib/wire'
import { all, until, visit } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'

/** A page that is opened in a browser in which what is one's own was so high the last time. */
function told(): Tape {
  localStorage.setItem('ziggurat.own', '185')
  const { own, watched, moved } = new (otherTables.constructor as new () => typeof otherTables)()
  Object.assign(otherTables, { own, watched, moved, going: null })
  return tape('group', 'alhambra/house')
}

test('whichever page is opened first, its head says how many tables wait', async () => {
  const page = told()
  const since = new Date().toISOString()
  const tables = [{ id: 'one', game: 'alhambra', since, people: [], awaited: { wishes: ['turn'], until: null } }]
  page.answer('GET /api/turns', { tables, going: ['one'] } as MyTurns)
  await visit(page, '#/nowhere')
  const chip = await until(() => all('link', '1 table waits for you')[0])
  expect(chip.getAttribute('href')).toBe('#/table/one')
})

test('the place of what is one’s own is kept until it comes, and no more than a window’s height', async () => {
  const page = told()
  await visit(page, '#/')
  const own = await until(() => document.querySelector<HTMLElement>('.own'))
  expect([own.childElementCount, own.style.minHeight]).toEqual([0, 'min(185px, 100vh)'])
  await until(() => own.childElementCount)
  // Whoever has nothing any more has no gap there.
  page.answer('GET /api/home', { tables: [], waits: {}, groups: [] })
  await visit(page, '#/')
  await until(() => all('region', 'New here?')[0])
  expect(document.querySelector<HTMLElement>('.own')!.style.minHeight).toBe('')
})
