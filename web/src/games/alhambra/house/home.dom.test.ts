import { figures, ways } from 'virtual:games'
import { expect, test } from 'vitest'
import type { HomeInfo } from '../../../lib/wire'
import { all, coming, nameOf, press, says, the, until, visit, words } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'

const told = (instead?: (text: string) => string): Tape => tape('group', 'alhambra/house', instead)
/** What the first page was told of Ada. */
const home = (page: Tape): HomeInfo =>
  page.lines.flatMap((line) => ('ask' in line && line.ask === 'GET /api/home' ? [line.answer as HomeInfo] : []))[0]!

test('whoever comes for the first time is told where to begin, in one press', async () => {
  const page = told()
  page.answer('GET /api/home', { tables: [], waits: {}, groups: [] })
  page.answer('POST /api/tables', { id: 'there' })
  await visit(page, '#/')
  const begin = await coming('region', 'New here?')
  expect(words(begin)).toMatch(/is the easiest to learn, and over in about \d+ minutes/)
  await press(the('button', /^Play a first game/, begin))
  await until(() => location.hash === '#/table/there')
  const { game } = page.asked[0]!.body as { game: string }
  const levels = Object.values(figures).map(({ level }) => level)
  expect(figures[game]!.level).toBe(Math.min(...levels))
})

test('whoever has only looked on somewhere is still new, whatever has become of that table', async () => {
  localStorage.setItem('ziggurat.looks', JSON.stringify([{ id: 'gone', secret: 'x' }]))
  const page = told().answer('GET /api/home', { tables: [], waits: {}, groups: [] })
  page.answer('GET /api/tables/gone', { title: '', status: 404, detail: '', code: 'unknown_table' }, 404)
  await visit(page, '#/')
  await coming('region', 'New here?')
  await until(() => localStorage.getItem('ziggurat.looks') === '[]')
  expect(all('region', 'New here?')).toHaveLength(1)
})

test('each game says how many play, for how long and how hard it is; the rest is behind one more press', async () => {
  await visit(told().answer('GET /api/home', { tables: [], waits: {}, groups: [] }), '#/')
  await coming('heading', 'Alhambra')
  const plate = all('listitem').find((one) => all('heading', 'Alhambra', one).length)!
  const { fewest, most, minutes } = figures.alhambra!
  expect(words(plate)).toContain(
    `${fewest} to ${most} players · ${Math.min(...minutes)} to ${Math.max(...minutes)} min`,
  )
  the('button', 'Play: Alhambra', plate)
  expect(all('link', undefined, plate).map(nameOf)).toEqual(ways.alhambra!.includes('learn') ? ['Learn'] : [])
  const more = plate.querySelector('details')!
  more.open = true
  more.dispatchEvent(new Event('toggle'))
  await coming('link', 'With friends, or as you like', plate)
  const names: Record<string, string> = { day: "The day's deal", find: 'Puzzles', learn: 'Learn', rules: 'Rules' }
  for (const way of ways.alhambra!.filter((one) => one in names)) the('link', names[way], plate)
  expect(words(plate)).toContain(`${most} players: ${minutes.at(-1)} min`)
})

test('an invitation says who invites, in the list too', async () => {
  const page = told()
  const { tables } = home(page)
  const asked = tables.find(({ status }) => status === 'waiting')!
  asked.seats = asked.seats.map((seat) => ({ ...seat, you: false, ...(seat.kept ? { kept: 'you' } : {}) }))
  Object.assign(asked, { you: null, host: false })
  await visit(page, '#/')
  await says('Ada invites you')
  expect(words()).not.toContain('Are you in?')
})
