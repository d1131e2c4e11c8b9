import { figures } from 'virtual:games'
import { expect, test } from 'vitest'
import type { GroupInfo, HomeInfo, TableInfo } from '../../../lib/wire'
import { all, coming, press, says, settled, the, until, visit, words } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'

const told = (instead?: (text: string) => string): Tape => tape('group', 'alhambra/house', instead)
/** What the first page was told of Ada: tables, and the group with Béla's table. */
const home = (page: Tape): HomeInfo =>
  page.lines.flatMap((line) => ('ask' in line && line.ask === 'GET /api/home' ? [line.answer as HomeInfo] : []))[0]!

/** What stands on the page, in its order: the places of these words in it. */
function stands(...said: string[]): string[] {
  const text = words()
  for (const one of said) expect(text).toContain(one)
  return said.sort((one, other) => text.indexOf(one) - text.indexOf(other))
}

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

test('the way to people and groups is on the first page of everybody, once', async () => {
  const page = told()
  const [table] = home(page).tables
  const alone = { ...table!, status: 'playing', seats: table!.seats.map((seat) => ({ ...seat, kind: 'bot' })) }
  for (const tables of [[], [alone], [{ ...alone, status: 'ended' }]]) {
    page.answer('GET /api/home', { tables, waits: {}, groups: [] })
    await visit(page, '#/')
    expect((await coming('link', 'People and groups')).getAttribute('href')).toBe('#/people')
    await coming('button', 'Find me a table')
    expect(all('link', 'People and groups')).toHaveLength(1)
  }
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

test('the games wait for what is one’s own, tables and groups: nothing pushes them afterwards', async () => {
  const page = told()
  await visit(page, '#/')
  const home = await until(() => document.querySelector('.home.held'))
  // At the very moment at which the games are shown all of it is there.
  const there = new Promise<number[]>((told) => {
    const watch = new MutationObserver(() => {
      if (home.matches('.held')) return
      watch.disconnect()
      told(['Your tables', 'Your groups'].map((name) => all('heading', name).length))
    })
    watch.observe(home, { attributeFilter: ['class'] })
  })
  expect(await there).toEqual([1, 1])
  the('link', 'Friday')
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
  the('link', 'Learn', plate)
  expect(all('link', undefined, plate)).toHaveLength(1)
  const more = plate.querySelector('details')!
  more.open = true
  more.dispatchEvent(new Event('toggle'))
  await coming('link', 'With friends, or as you like', plate)
  for (const name of ['The day’s deal', 'Puzzles', 'Rules'].map((one) => one.replace('’', "'")))
    the('link', name, plate)
  expect(words(plate)).toContain(`${most} players: ${minutes.at(-1)} min`)
})

test('whoever comes back finds what waits for them, their groups with the next evening, and then the games', async () => {
  const page = told()
  await visit(page, '#/')
  // Not for a moment is anybody new as long as the server has not said so.
  expect(all('region', 'New here?')).toEqual([])
  await coming('heading', 'Your groups')
  await until(() => all('link', 'Friday')[0])
  await says('Next evening: ')
  await says('3 hours')
  expect(stands('Waiting for you', 'Your groups', 'Waiting for players', 'Alhambra 2 to')).toEqual([
    'Waiting for you',
    'Your groups',
    'Waiting for players',
    'Alhambra 2 to',
  ])
  expect(all('region', 'New here?')).toEqual([])
  await says('Ada comes')
  // Whether one comes is said here, and one press sits down at the group's table, under one's name there.
  const { groups } = home(page)
  const [{ id, tables }] = groups as [HomeInfo['groups'][number]]
  page.answer(`PUT /api/groups/${id}/evening`, {})
  await press(the('button', 'I cannot come'))
  page.answer(`POST /api/tables/${tables[0]!.id}/join`, tables[0])
  await press(await coming('button', 'Sit down: Alhambra, Friday'))
  await until(() => location.hash === `#/table/${tables[0]!.id}`)
  expect(page.asked.slice(0, 2)).toMatchObject([
    { ask: `PUT /api/groups/${id}/evening`, body: { comes: false } },
    { body: { invite: tables[0]!.invite, name: 'Ada' } },
  ])
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

/** What the group's own page is told when it has tables. */
const withTables = (page: Tape): GroupInfo =>
  page.lines
    .flatMap((line) => ('ask' in line && line.ask.startsWith('PUT /api/groups') ? [line.answer as GroupInfo] : []))
    .find(({ tables }) => tables.length)!

/** A table of Friday at which the only open seat is kept for somebody else, as Ada sees it at every door. */
const kept = (text: string): string =>
  text.replaceAll('"kind":"open","name":""', '"kind":"open","name":"Cili","kept":"other"')

test('a seat that is kept for somebody is free at no door', async () => {
  const page = told(kept)
  const table = home(page).groups[0]!.tables[0] as TableInfo
  const address = `/api/tables/${table.id}`
  for (const door of [`GET ${address}`, `GET ${address}`]) page.answer(door, table)
  await visit(page, '#/')
  await until(() => all('link', 'Friday')[0])
  await settled()
  expect([all('button', /^Sit down/).length, words().includes('no free seat')]).toEqual([0, true])
  const group = `#/group/${home(page).groups[0]!.id}`
  page.answer(`GET /api/groups/${home(page).groups[0]!.id}`, { ...withTables(page) })
  await visit(page, group)
  await coming('heading', 'Tables')
  await says('no free seat')
  await visit(page, `#/join/${table.id}/${table.invite}`)
  await coming('heading', /Béla invites you/)
  expect([all('textbox').length, all('button', 'Sit down').length]).toEqual([0, 0])
})

test('a seat that is kept for oneself is said so, and among the group’s tables on the first page it is not once more', async () => {
  const mine = (text: string): string =>
    kept(text).replaceAll('"name":"Cili","kept":"other"', '"name":"Ada","kept":"you"')
  const page = told(mine)
  const { id, tables } = home(page).groups[0]!
  const group = withTables(page)
  for (const one of [...tables, ...group.tables]) Object.assign(one, { you: null, host: false })
  await visit(page, '#/')
  await until(() => all('link', 'Friday')[0])
  await settled()
  expect(words()).not.toContain('no free seat')
  expect(words(the('link', 'Friday').closest('li'))).not.toContain('Alhambra')
  page.answer(`GET /api/groups/${id}`, { ...group })
  await visit(page, `#/group/${id}`)
  await coming('heading', 'Tables')
  await says('a seat is kept for you')
  expect(words()).not.toContain('no free seat')
})

test('the waiting room of a group’s table names the group to those who belong to it', async () => {
  const page = tape('company', 'alhambra/house', (text) => text.replaceAll('"group":null', '"group":"friday"'))
  page.answer('GET /api/groups/friday', { id: 'friday', name: 'Friday' })
  await visit(page, page.address)
  const link = await coming('link', 'For the group Friday')
  expect(link.getAttribute('href')).toBe('#/group/friday')
  // Who sits there and does not belong to it is told nothing.
  const other = tape('company', 'alhambra/house', (text) => text.replaceAll('"group":null', '"group":"friday"'))
  other.answer('GET /api/groups/friday', { title: '', status: 404, detail: '', code: 'unknown_group' }, 404)
  await visit(other, other.address)
  await coming('heading', 'Players')
  await settled()
  expect(words()).not.toContain('For the group')
})
