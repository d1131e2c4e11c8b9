import { expect, test, vi } from 'vitest'
import { all, coming, find, press, says, settled, the, until, visit, words, write } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'
import type { GroupInfo, HomeInfo, NewTable, TableInfo } from '../../../lib/wire'

const told = (instead?: (text: string) => string): Tape => tape('group', 'alhambra/house', instead)
const button = (name: string | RegExp): Promise<HTMLElement> => coming('button', name)
const lastOf = (page: Tape, ask: string): unknown =>
  page.lines.flatMap((line) => ('ask' in line && line.ask === ask ? [line.answer] : [])).at(-1)
/** What the first page was told of Ada: tables, and the group with Béla's table. */
const home = (page: Tape): HomeInfo =>
  page.lines.flatMap((line) => ('ask' in line && line.ask === 'GET /api/home' ? [line.answer as HomeInfo] : []))[0]!

/** What stands on the page, in its order: the places of these words in it. */
function stands(...said: string[]): string[] {
  const text = words()
  for (const one of said) expect(text).toContain(one)
  return said.sort((one, other) => text.indexOf(one) - text.indexOf(other))
}

test('a group is founded, has an evening, and its people say whether they come', async () => {
  const page = told()
  await visit(page, '#/people')
  await press(await button('Found a group'))
  const founding = await until(() => all('dialog', 'Found a group')[0])
  expect((the('textbox', 'Your name in the group', founding) as HTMLInputElement).value).toBe('Ada')
  await write(the('textbox', 'The name of the group', founding), 'Friday')
  await press(the('button', 'Found a group', founding))
  await until(() => all('heading', 'Friday')[0])
  await press(await button('Plan an evening'))
  const evening = await until(() => all('dialog', 'Plan an evening')[0])
  expect((find('input[type=time]') as HTMLInputElement).value).toBe('19:30')
  await press(the('button', 'Save', evening))
  await says('The evening is planned.')
  await says('(Europe/Budapest). 3 hours')
  expect(page.asked.at(-1)!.body).toMatchObject({
    evenings: [{ weekday: 4, on: null, time: '19:30', minutes: 180, games: [] }],
  })
  expect(the('link', 'Calendar file').getAttribute('href')).toMatch(/\.ics/)
  await says('Nobody has answered yet.')
  await press(await button('I will be there'))
  expect((await button('I will be there')).getAttribute('aria-pressed')).toBe('true')
  // Others come while the page is open: it looks again when it is looked at.
  dispatchEvent(new Event('focus'))
  await says('2 people')
  await says('Coming (1): Ada')
  await says('Not coming (1): Béla')
  await press(await button('Manage people'))
  await button('Remove Béla')
  // A single evening comes besides, and each is taken off by itself.
  const id = location.hash.split('/')[2]!
  const weekly = lastOf(page, `GET /api/groups/${id}`) as GroupInfo
  const once = { ...weekly.evenings[0]!, weekday: null, on: '2030-12-24', minutes: 60, games: ['alhambra'] }
  page.answer(`PUT /api/groups/${id}`, { ...weekly, evenings: [...weekly.evenings, once] })
  await press(await button('Plan an evening'))
  const single = await until(() => all('dialog', 'Plan an evening')[0])
  await press(the('radio', 'Once', single))
  await write(find('input[type=date]') as HTMLInputElement, '2030-12-24')
  await press(the('button', 'Save', single))
  await until(() => all('dialog').length === 0)
  expect(page.asked.at(-1)!.body).toMatchObject({ evenings: [{ weekday: 4 }, { weekday: null, on: '2030-12-24' }] })
  await says('(Europe/Budapest). 1 hour · Alhambra')
  page.answer(`PUT /api/groups/${id}`, lastOf(page, `GET /api/groups/${id}`))
  await press(await button(/^Take it off: Every Friday at 19:30/))
  await says('The evening is taken off.')
  expect(page.asked.at(-1)!.body).toEqual({ evenings: [once] })
  // Whoever presses what they said takes it back.
  page.answer(`PUT /api/groups/${id}/evening`, lastOf(page, `GET /api/groups/${id}`))
  await press(await button('I will be there'))
  expect(page.asked.at(-1)!.body).toMatchObject({ comes: null })
})

test('a table of a group has free seats for whoever comes, and its link is withdrawn', async () => {
  const page = told()
  const id = /groups\/(\w+)/.exec(JSON.stringify(page.lines))![1]!
  page.answer('POST /api/tables', { id: 'there' }, 201)
  page.answer(`GET /api/groups/${id}`, lastOf(page, `GET /api/groups/${id}`))
  await visit(page, `#/group/${id}`)
  await press(await button('Tonight’s table'))
  const games = await until(() => all('dialog', 'Tonight’s table')[0])
  await press(the('button', 'Alhambra', games))
  expect(page.asked).toEqual([
    {
      ask: 'POST /api/tables',
      body: {
        game: 'alhambra',
        seats: [{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }, { kind: 'open' }],
        start: false,
        group: id,
        call: true,
      },
    },
  ])
  await until(() => location.hash === '#/table/there')
  await visit(page, `#/group/${id}`)
  await press(await button('Withdraw the link'))
  await says('The link was withdrawn: nobody can join now.')
})

test('a newcomer who founds a group is known by the language of their page', async () => {
  const page = told()
  await visit(page, '#/people', 'hu')
  const fetched = vi.spyOn(globalThis, 'fetch')
  await press(await button('Csoport alapítása'))
  await write(await coming('textbox', 'A csoport neve'), 'Péntek')
  await press(all('button', 'Csoport alapítása').at(-1)!)
  const asked = fetched.mock.calls.find(([, wants]) => wants?.method === 'POST')!
  expect(asked[1]!.headers).toMatchObject({ 'Accept-Language': 'hu' })
})

test('a group is looked at again while the page is open', async () => {
  const page = told()
  const id = /groups\/(\w+)/.exec(JSON.stringify(page.lines))![1]!
  vi.useFakeTimers({ toFake: ['setInterval'] })
  await visit(page, `#/group/${id}`)
  await says('1 person')
  vi.advanceTimersByTime(20_000)
  vi.useRealTimers()
  await settled()
  expect(words()).toContain('2 people')
})

test.each([
  [5, 5],
  [9, 6],
])('a table of a group of %i has %i seats, as many as the game takes', async (people, seats) => {
  const page = told()
  const id = /groups\/(\w+)/.exec(JSON.stringify(page.lines))![1]!
  const group = lastOf(page, `GET /api/groups/${id}`) as GroupInfo
  const more = Array.from({ length: people }, (_, n) => ({ ...group.people[0]!, id: `p${n}`, comes: n ? null : true }))
  const declines = { ...group.people[0]!, id: 'no', comes: false }
  page.answer(`GET /api/groups/${id}`, { ...group, people: [...more, declines] })
  page.answer('POST /api/tables', { id: 'there' }, 201)
  await visit(page, `#/group/${id}`)
  await press(await button('Tonight’s table'))
  await press(the('button', 'Alhambra', await until(() => all('dialog', 'Tonight’s table')[0])))
  expect((page.asked[0]!.body as NewTable).seats.map(({ kind }) => kind)).toEqual([
    'me',
    ...Array.from({ length: seats - 1 }, () => 'open'),
  ])
})

test('whoever comes by the link of a group is asked for a name and belongs to it', async () => {
  const page = tape('invited', 'alhambra/house')
  const address = page.lines.flatMap((line) =>
    'ask' in line && line.ask === 'the link' ? [String(line.answer)] : [],
  )[0]!
  await visit(page, address)
  expect(((await until(() => all('textbox', 'Your name in the group')[0])) as HTMLInputElement).value).toBe('Béla')
  await says('Ada invites you to this group.')
  await press(await button('Join the group'))
  await button('Tonight’s table')
  expect(page.asked).toMatchObject([{ body: { invite: address.split('/').at(-1), name: 'Béla' } }])
  // Withdrawn, it says so.
  page.answer(
    `GET /api/groups/${address.split('/')[2]}`,
    { title: '', status: 403, detail: '', code: 'group_link' },
    403,
  )
  await visit(page, '#/nowhere')
  await visit(page, address)
  await says('This link to the group was withdrawn.')
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
