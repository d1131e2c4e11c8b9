import { expect, test } from 'vitest'
import { all, coming, press, says, the, until, visit, words, write } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'

const told = (): Tape => tape('open_tables', 'alhambra/house')
const LIST = '/api/open-tables/live'
const rows = (): HTMLElement[] =>
  all('listitem', undefined, the('region', 'Open tables')).filter((row) => all('button', undefined, row).length)

/** The first page, when somebody stays there. */
async function home(page: Tape): Promise<void> {
  await visit(page, '#/')
  await until(() => all('region', 'Open tables')[0] && page.sockets.some(({ at }) => at === LIST))
}
const seen = (wish: boolean): void => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => !wish })
  document.dispatchEvent(new Event('visibilitychange'))
}

test('a table that comes up is seen and heard of, and whoever is nobody yet sits down with a name', async () => {
  const page = told()
  await home(page)
  expect(rows()).toEqual([])
  page.happen('Ada opens a table')
  const row = await until(() => rows()[0])
  for (const said of ['Live', 'Beginners', 'Magyar', '1 seat free']) expect(words(row)).toContain(said)
  await until(
    () => words(all('status', undefined, the('region', 'Open tables'))[0]) === 'New open table: Alhambra, Ada.',
  )
  await press(the('button', 'Sit down: Alhambra, Ada', row))
  const asks = await coming('dialog', 'What shall others call you?')
  await write(the('textbox', /^Your name/, asks), 'Eve')
  await press(the('button', 'Sit down', asks))
  await until(() => location.hash.startsWith('#/table/'))
  expect(page.asked).toMatchObject([
    { ask: expect.stringMatching(/join$/), body: { invite: '', name: 'Eve' } },
    { ask: 'PUT /api/me', body: { name: 'Eve' } },
  ])
})

test('what is looked for is said, and somebody is told when there is one, and no more', async () => {
  const page = told()
  page.answer('POST /api/open-tables/find', { id: 'there' })
  page.answer('POST /api/open-tables/near', [])
  await home(page)
  await press(await coming('button', 'Find me a table'))
  const asks = await coming('dialog', 'Find me a table')
  await press(the('button', 'Tell me when there is one', asks))
  await says('So far you can be told nowhere.')
  await coming('heading', 'You are told when one of these opens')
  await press(all('button', /^Stop/, asks)[0]!)
  await until(() => all('heading', 'You are told when one of these opens').length === 0)
  for (const other of all('checkbox', undefined, the('group', 'Games')).slice(1)) await press(other)
  await press(the('radio', 'By days', asks))
  await press(the('radio', 'People only', asks))
  await write(the('textbox', /^Your name/, asks), 'Kai')
  await press(the('button', 'Find', asks))
  expect(page.asked.map(({ body }) => body)).toMatchObject([
    { wishes: [{ games: expect.arrayContaining(['alhambra']), tempos: ['live', 'evening', 'days'] }] },
    { wishes: [] },
    { games: ['alhambra'], tempo: 'days', company: 'people', strength: 'anyone' },
    { games: ['alhambra'], tempo: 'days', company: 'people', strength: 'anyone', name: 'Kai' },
  ])
  await until(() => location.hash === '#/table/there')
})

test('a page that nobody sees listens no more, and is told nothing of what came meanwhile', async () => {
  const page = told()
  await home(page)
  const [socket] = page.sockets.filter(({ at }) => at === LIST)
  seen(false)
  expect(socket!.readyState).toBe(3)
  const opens = page.exchanges.find((one) => 'when' in one && one.when === 'it opens')!
  const { tables } = page.exchanges.find((one) => 'when' in one && one.when === 'Ada opens a table')!
    .hears[0] as unknown as { tables: unknown[] }
  Object.assign(opens.hears[0]!, { tables })
  seen(true)
  await until(() => rows().length === 1)
  expect(words(all('status', undefined, the('region', 'Open tables'))[0])).toBe('')
})

test('whoever plays at once asks for nothing of open tables', async () => {
  const page = told()
  page.answer('POST /api/tables', { id: 'there' })
  await visit(page, '#/')
  await press(await coming('button', 'Play: Alhambra'))
  await until(() => location.hash === '#/table/there')
  expect(page.asked[0]).toMatchObject({ ask: 'POST /api/tables', body: { game: 'alhambra', start: true } })
  expect(page.sockets.filter(({ at }) => at === LIST)).toEqual([])
})

/** What Ada's table is to whoever looks for another. */
function near(page: Tape, ...misses: string[]): unknown {
  const line = page.exchanges.find((one) => 'when' in one && one.when === 'Ada opens a table')!
  const { tables } = line.hears[0] as unknown as { tables: unknown[] }
  return { table: tables[0], misses }
}

test('what is close is offered with its difference before one more table is opened', async () => {
  const page = told()
  page.answer('POST /api/open-tables/near', [near(page, 'tempo')])
  page.answer('POST /api/open-tables/find', { id: 'mine' })
  await home(page)
  await press(await coming('button', 'Find me a table'))
  const asks = await coming('dialog', 'Find me a table')
  await until(() => (the('radio', 'Any', asks) as HTMLInputElement).checked)
  await press(the('radio', 'By days', asks))
  await write(the('textbox', /^Your name/, asks), 'Eve')
  await press(the('button', 'Find', asks))
  const close = await coming('region', 'Nobody waits for just that. This is close to it:')
  expect(words(close)).toContain('Alhambra, live instead of by days: 1 seat free Ada')
  expect(page.asked.map(({ ask }) => ask)).toEqual(['POST /api/open-tables/near'])
  await press(the('button', 'Open a new one', asks))
  await until(() => location.hash === '#/table/mine')
  // Or one sits down there.
  page.answer('POST /api/open-tables/near', [near(page, 'tempo')])
  await home(page)
  await press(await coming('button', 'Find me a table'))
  await write(await coming('textbox', /^Your name/), 'Eve')
  await press(the('button', 'Find'))
  await press(await coming('button', 'Sit down: Alhambra, Ada', await coming('region', /^Nobody waits for just that/)))
  await until(() => /^#\/table\/(?!mine)/.test(location.hash))
})

test('whoever opens a table to anyone has a clock, and sees what waits elsewhere', async () => {
  const page = tape('company', 'alhambra/house')
  page.answer('GET /api/me', { id: null, name: '', language: 'en' })
  page.answer('POST /api/open-tables/near', [near(told(), 'tempo')])
  await visit(page, '#/new/alhambra')
  const chair = (await coming('combobox')) as HTMLSelectElement
  chair.value = 'open'
  chair.dispatchEvent(new Event('change', { bubbles: true }))
  await press(await coming('radio', 'Anyone'))
  await coming('region', 'A table waits for people already')
  expect(page.asked.at(-1)).toMatchObject({ body: { tempo: 'live', company: 'bots' } })
  await press(await coming('button', 'Sit down: Alhambra, Ada'))
  await until(() => location.hash.startsWith('#/join/'))
})
