import { expect, test, vi } from 'vitest'
import { all, coming, find, press, says, settled, the, until, visit, words, write } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'
import type { GroupInfo, NewTable } from '../../../lib/wire'

const told = (story: string): Tape => tape(story, 'alhambra/house')
const button = (name: string | RegExp): Promise<HTMLElement> => coming('button', name)
const lastOf = (page: Tape, ask: string): unknown =>
  page.lines.flatMap((line) => ('ask' in line && line.ask === ask ? [line.answer] : [])).at(-1)

test('somebody one has played with is invited, blocked, and not blocked', async () => {
  const page = told('group')
  await visit(page, '#/people')
  await press(await button('Invite Béla'))
  const where = await until(() => all('dialog', 'Invite Béla')[0])
  expect(the('link', 'Alhambra', where).getAttribute('href')).toMatch(/^#\/new\/alhambra\/\w+/)
  await press(all('button', undefined, where).at(-1)!)
  await says('Béla is invited: a seat is kept for them.')
  expect(page.asked).toMatchObject([{ ask: expect.stringMatching(/invite$/), body: { person: expect.any(String) } }])
  await press(await button('Block Béla'))
  await press(the('button', 'Block', await until(() => all('dialog', 'Block Béla')[0])))
  await says('Béla is blocked.')
  await press(await button('Unblock Béla'))
  await says('Béla is not blocked any more.')
  expect(page.asked.map(({ ask }) => ask.split('/')[2])).toEqual(['tables', 'blocks', 'blocks'])
})

test('a group is founded, has an evening, and its people say whether they come', async () => {
  const page = told('group')
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
  const page = told('group')
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
  const page = told('group')
  await visit(page, '#/people', 'hu')
  const fetched = vi.spyOn(globalThis, 'fetch')
  await press(await button('Csoport alapítása'))
  await write(await coming('textbox', 'A csoport neve'), 'Péntek')
  await press(all('button', 'Csoport alapítása').at(-1)!)
  const asked = fetched.mock.calls.find(([, wants]) => wants?.method === 'POST')!
  expect(asked[1]!.headers).toMatchObject({ 'Accept-Language': 'hu' })
})

test('whoever sets up a table to sit down with others is asked for a name where they have none', async () => {
  const page = tape('company', 'alhambra/house').answer('GET /api/me', { id: null, name: '', language: 'en' })
  await visit(page, '#/new/alhambra')
  const name = (await coming('textbox', 'Your name at the table')) as HTMLInputElement
  const asks = async (seat: string): Promise<boolean> => {
    const chair = all('combobox')[0] as HTMLSelectElement
    // What is chosen is looked for by `:checked`, which this DOM knows of no option.
    chair.querySelector = () => [...chair.options].find(({ value }) => value === seat) as never
    chair.dispatchEvent(new Event('change', { bubbles: true }))
    await settled()
    return name.required
  }
  expect(await asks('bot:mason')).toBe(false)
  expect(await asks('open')).toBe(true)
  expect(await asks('companion')).toBe(true)
  expect(await asks('bot:mason')).toBe(false)
})

test('a group is looked at again while the page is open', async () => {
  const page = told('group')
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
  const page = told('group')
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
  const page = told('invited')
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
