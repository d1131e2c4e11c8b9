import { expect, test } from 'vitest'
import { all, coming, faults, find, press, says, strike, the, until, visit, words } from '../../../testing/page'
import { Tape, tape } from '../../../testing/tape'

const games = (): Tape => tape('company', 'alhambra/house')

test.each([
  '#/join/abc/xyz%',
  '#/join/abc%E0%A4%A/xyz',
  '#/join/abc',
  '#/take/abc/%',
  '#/table/%',
  '#/table/abc#/table/abc',
  '#//table/abc',
  '#/rules/%25',
  '#/new/alhambra%',
  '#/learn/alhambra/%',
  '#/find/alhambra/%2F..%2F',
  '#/day/alhambra/2020-%',
  '#/box/constructor',
  '#/me/%/%',
  '#%',
  '#/__proto__',
  '#/no/such/page',
])('what was made of a link by mistake leads to a page that says so: %s', async (hash) => {
  await visit(new Tape([]), hash)
  const said = await until(() => all('heading')[0] ?? all('alert')[0])
  expect(words(said)).not.toBe('')
  await until(() => !find('.coming, [aria-busy]'))
})

test('an address that leads nowhere leads home', async () => {
  await visit(games(), '#/no/such/page')
  await says('There is nothing at this address.')
  expect(all('link', 'Home').at(-1)!.getAttribute('href')).toBe('#/')
})

test('a board that breaks is not waited for', async () => {
  const page = games()
  for (const line of page.exchanges)
    for (const heard of line.hears) if ('view' in heard && heard.view) Object.assign(heard, { view: {} })
  await visit(page, page.address)
  await until(() => all('heading', 'Players')[0])
  for (const event of ['Béla sits down', 'seats move', 'lots are drawn', 'all begins']) page.happen(event)
  await coming('heading', /^Something on this page has broken/)
  the('button', 'Reload')
  expect(faults.splice(0).length).toBeGreaterThan(0)
  location.hash = '#/'
  await coming('heading', 'What shall we play?')
})

test('language, theme and speed are kept, and shown as they are', async () => {
  await visit(games(), '#/')
  await press(all('button', 'Settings')[0]!)
  for (const answer of ['Dark', 'Brisk', 'Magyar']) {
    const wanted = await until(() => all('radio').find((one) => words(one.closest('label')).includes(answer)), answer)
    await press(wanted)
  }
  const root = document.documentElement
  await until(() => root.lang === 'hu')
  expect([root.dataset.theme, root.dataset.speed]).toEqual(['dark', '2'])
  expect(JSON.parse(localStorage.getItem('ziggurat.settings')!)).toMatchObject({
    language: 'hu',
    theme: 'dark',
    speed: 2,
  })
})

test('who makes moves without a choice is asked of those whom the server knows', async () => {
  const page = games().answer('GET /api/me', { id: null, name: '', language: 'en' })
  await visit(page, '#/')
  await press(all('button', 'Settings')[0]!)
  await coming('group', /^A sound when it is your turn/)
  expect(all('group', 'Moves without a choice')).toEqual([])
  await strike('Escape')
  page.answer('GET /api/me', { id: 'a', name: 'Eve', language: 'en', forced: 'page' })
  page.answer('PUT /api/me', { id: 'a', name: 'Eve', language: 'en', forced: 'me' })
  await visit(page, '#/')
  await press(all('button', 'Settings')[0]!)
  await press(all('radio', undefined, await coming('group', 'Moves without a choice')).at(-1)!)
  expect(page.asked.at(-1)!.ask).toBe('PUT /api/me')
})

test('a bot that whoever runs the server has added is offered apart, and marked where it sits', async () => {
  const page = tape('company', 'alhambra/house', (text) =>
    text.replaceAll('"bot":"random"', '"bot":"host:Robo of Köln"'),
  )
  const [info] = page.lines.flatMap((line) =>
    'ask' in line && line.ask === 'GET /api/games' ? [line.answer as object[]] : [],
  )[0]!
  Object.assign(info!, { host_bots: ['Robo of Köln'] })
  page.answer('GET /api/me', { id: 'a', name: 'Ada', language: 'en' })
  await visit(page, '#/new/alhambra')
  const chair = await coming('combobox')
  const apart = await until(() => chair.querySelector('optgroup[label="The bots of this server"]'))
  expect(words(apart)).toBe('Robo of Köln')
  await visit(page, page.address)
  await until(() => all('heading', 'Players')[0])
  expect(words()).toContain('Robo of Köln')
})
