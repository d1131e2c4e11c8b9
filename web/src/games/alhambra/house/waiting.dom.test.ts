import { expect, test } from 'vitest'
import { all, coming, find, press, says, settled, the, until, visit, words, write } from '../../../testing/page'
import { lookedOn } from '../../../table/lookedOn'
import { tape, type Tape } from '../../../testing/tape'

type Instead = [string | RegExp, string]
const told = (...instead: Instead[]): Tape =>
  tape('company', 'alhambra/house', (text) => instead.reduce((now, [from, to]) => now.replaceAll(from, to), text))
/** As somebody is told it who does not sit there. */
const STRANGER: Instead[] = [
  [/"you":\d/g, '"you":null'],
  ['"you":true', '"you":false'],
  ['"host":true', '"host":false'],
]
const FULL: Instead = ['"kind":"open"', '"kind":"human"']
const CLEARED = 'Nobody started this game for a long time, so the table was closed.'
const refusal = (code: string, more: object = {}): object => ({ title: '', status: 403, detail: '', code, ...more })
const path = (page: Tape): string => `/api/tables/${page.table}`

async function waits(page: Tape, secret = ''): Promise<void> {
  await visit(page, page.address + secret)
  await until(() => all('heading', 'Players')[0])
}

test('a host arranges the seats, and everybody is told what happened to them', async () => {
  const page = told()
  await waits(page)
  expect((the('textbox', 'Send this link to your friends') as HTMLInputElement).value).toMatch(/#\/join\/\w+\/[\w-]+$/)
  page.happen('Béla sits down')
  await coming('button', 'Make Béla the host')
  await press(await coming('button', 'All one seat further'))
  page.happen('Béla wishes luck')
  page.happen('seats move')
  await says('The seats are in another order now.')
  await press(await coming('button', 'Draw lots for the seats'))
  page.happen('lots are drawn')
  await says('The seats were drawn by lot.')
  page.answer(`POST ${path(page)}/host`, {})
  await press(await coming('button', 'Make Béla the host'))
  expect(page.asked.map(({ body }) => body)).toEqual([
    { order: [2, 0, 1] },
    { order: null },
    { seat: expect.any(Number) },
  ])
})

test('a host reads who is still on the way, and that all are here, beside the button that begins', async () => {
  const page = told()
  await waits(page)
  expect((the('button', 'Start the game') as HTMLButtonElement).disabled).toBe(true)
  expect(words()).not.toContain('Everybody is here.')
  const away = told(FULL, ['"name":""', '"name":"Béla"'], ['"online":true', '"online":false'])
  await visit(away, away.address)
  await says('Not here yet: Béla')
  away.answer(`POST ${path(away)}/start`, {})
  await press(await coming('button', 'Start the game'))
  const here = told(FULL, ['"online":false', '"online":true'])
  await visit(here, here.address)
  await says('Everybody is here.')
})

test('what is agreed is changed, and somebody on this device sits down under a name of their own', async () => {
  const page = told()
  await waits(page)
  await press(await coming('button', 'Change'))
  const terms = await coming('dialog', 'What is agreed')
  await press(await coming('switch', /[Hh]ints/, terms))
  page.answer(`POST ${path(page)}/terms`, {})
  await press(await coming('button', 'Agree on this', terms))
  expect(page.asked.at(-1)!.body).toMatchObject({ hints: true })
  const field = await coming('textbox', /^Name of the player/)
  page.answer(`POST ${path(page)}/companions`, refusal('name_taken'), 409)
  await write(field, 'ADA')
  await press(await coming('button', 'Sits down here'))
  await until(() => all('alert')[0])
  page.answer(`POST ${path(page)}/companions`, {})
  await write(field, 'Zoé')
  await press(await coming('button', 'Sits down here'))
  expect(page.asked.at(-1)!.body).toEqual({ seat: 1, name: 'Zoé' })
})

test('whoever is put out is told so, and the host sees who looks on and puts them out', async () => {
  const page = told()
  page.answer(`GET ${path(page)}/onlookers`, [
    { id: 'look.1', name: 'Eve' },
    { id: 'look.2', name: '' },
  ])
  await waits(page)
  page.happen('Béla sits down')
  await press(await coming('button', 'Put Béla out'))
  expect(page.asked.at(-1)!.body).toMatchObject({ seat: 1, kind: 'open' })
  page.answer(`POST ${path(page)}/out`, {})
  await press(await coming('button', 'Put Eve out'))
  expect(page.asked.at(-1)!.body).toEqual({ person: 'look.1' })
  await press((await until(() => all('button', 'and block')))[1]!)
  expect(page.asked.at(-1)!.body).toEqual({ person: 'look.2', block: true })
  const hers = told(...STRANGER)
  hers.answer(`GET ${path(hers)}`, refusal('put_out'), 403)
  await visit(hers, hers.address)
  await says('The people at this table do not want you here any more.')
  const out = told([/"out":0/g, '"out":2'])
  out.answer(`GET ${path(out)}/onlookers`, [])
  await waits(out)
  await says('2 people were put out')
  out.answer(`POST ${path(out)}/in`, {})
  await press(await coming('button', 'Let them in again'))
  expect(out.asked.at(-1)!.ask).toBe(`POST ${path(out)}/in`)
})

test('whoever comes by an invitation sees who invites them to what, with the name they had before', async () => {
  const page = told(...STRANGER).answer('GET /api/me', { id: 'a', name: 'Eve', language: 'en' })
  await visit(page, `#/join/${page.table}/secret`)
  await coming('heading', 'Ada invites you to play Alhambra.')
  expect((the('textbox', /^What shall we call you/) as HTMLInputElement).value).toBe('Eve')
  page.answer(`POST ${path(page)}/join`, {})
  await press(the('button', 'Sit down'))
  expect(page.asked[0]).toMatchObject({ body: { invite: 'secret', name: 'Eve' } })
  await until(() => location.hash === `#/table/${page.table}`)
})

test.each([
  ['who has said no name', '"starter":0', '"name":"Ada"', 'Guest invites you to play Alhambra.'],
  ['who does not sit there', '"starter":null', '"kind":"human","name":"Ada"', 'You are invited to play Alhambra.'],
])('an invitation of somebody names the game: %s', async (_, starter, host, title) => {
  const without = host.replace('human', 'open').replace('Ada', '')
  const page = told(...STRANGER, ['"starter":0', starter], [host, without])
  await visit(page, `#/join/${page.table}/secret`)
  expect(words(await coming('heading'))).toBe(title)
})

test.each([
  ['all seats are taken', [FULL], 'All seats are taken.', true],
  ['the last seat is kept', [['"kind":"open"', '"kind":"open","kept":"other"']], 'kept for someone', true],
  ['what is kept is taken', [['"kind":"open"', '"kind":"open","kept":"other"']], 'All seats are taken.', true],
  ['nobody may look on', [FULL, ['"watch":"anyone"', '"watch":"nobody"']], 'Nobody may look on', false],
  ['nobody began it', [['"status":"waiting"', '"status":"expired"']], CLEARED, false],
] as [string, Instead[], string, boolean][])('too late: %s', async (_, instead, said, looks) => {
  const page = told(...STRANGER, ...instead)
  await visit(page, `#/join/${page.table}/secret`)
  await until(() => all('heading')[0])
  await until(() => words().includes(said), said)
  expect(all('button', 'Sit down')).toEqual([])
  expect(all('link', 'Look on').length).toBe(looks ? 1 : 0)
  if (!looks) return
  await press(await coming('button', 'Set up a table like this one'))
  await until(() => location.hash === '#/new/alhambra')
})

test.each([
  ['a wrong invitation', 'unknown_table', 'This invitation is not valid. Ask for the link again.'],
  ['a game that nobody may watch', 'not_watched', 'Only those who play this game may see it.'],
])('%s says so', async (_, code, said) => {
  const page = told()
  page.answer(`GET ${path(page)}`, refusal(code, { args: { game: 'alhambra' } }), 403)
  await visit(page, `#/join/${page.table}/secret`)
  await says(said)
  expect(all('button', 'Sit down')).toEqual([])
})

test('a table without its invitation, and one that nobody began, say so', async () => {
  const page = told()
  page.answer(`GET ${path(page)}`, { ...refusal('unknown_table'), status: 404 }, 404)
  await visit(page, page.address)
  await until(() => all('heading', 'There is no such table, or it is not open to you now.')[0])
  expect(find('[data-testid=action-bar]')).toBe(null)
  await visit(told(['"status":"waiting"', '"status":"expired"']), page.address)
  await says(CLEARED)
})

test('those who look on are told so, and counted by those who play', async () => {
  const page = told(...STRANGER)
  await waits(page, `/${page.state.table.invite}`)
  await says('You are looking on.')
  page.happen('Béla sits down')
  page.happen('seats move')
  page.happen('lots are drawn')
  page.happen('all begins')
  await until(() => find('[data-testid=action-bar]'))
  await until(() => words(find('[data-testid=action-bar]')).includes('You are looking on.'))
  // Without the link it is shown to them until it begins.
  page.sockets.at(-1)!.hear({ type: 'error', code: 'unknown_table', detail: '', id: null, args: {} })
  await coming('heading', 'There is no such table, or it is not open to you now.')
  // They find it again on the first page, by the same address.
  expect(lookedOn()).toEqual([{ id: page.table, secret: page.state.table.invite }])
  const mine = told(['"onlookers":0', '"onlookers":1'])
  await waits(mine)
  mine.happen('Béla sits down')
  mine.happen('seats move')
  mine.happen('lots are drawn')
  mine.happen('all begins')
  await until(() => find('[data-testid=action-bar]'))
  await until(() => all('img', '1 person looks on')[0])
  expect(words(find('[data-testid=action-bar]'))).not.toContain('You are looking on.')
  // Whoever plays gives the link to others.
  await press(all('button', 'Settings')[0]!)
  const link = (await coming('textbox', 'Let friends look on')) as HTMLInputElement
  expect(link.value).toMatch(/#\/table\/\w+\/[\w-]+$/)
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
