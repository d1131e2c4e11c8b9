import { expect, test, vi } from 'vitest'
import { all, find, nameOf, press, settled, strike, the, until, visit, words, write } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'

const HELLO = 'Hello, Ada'

/** The table at which people talk, with other words in what the server says. */
const told = (...instead: [string | RegExp, string][]): Tape =>
  tape('company', 'alhambra/house', (text) => instead.reduce((now, [from, to]) => now.replaceAll(from, to), text))
const lines = (): string[] => [...document.querySelectorAll('p.said')].map(words)
const spoken = (): string => [...document.querySelectorAll('[aria-live=polite]')].map(words).join('\n')

/** Sits down before the game, and comes to the table with it. */
async function begun(table: Tape): Promise<HTMLElement | null> {
  await visit(table, table.address)
  await until(() => all('heading', 'Players')[0])
  for (const event of ['Béla sits down', 'seats move', 'lots are drawn', 'all begins']) table.happen(event)
  await until(() => find('[data-testid=action-bar]'))
  await settled()
  return all('button', /^Talk/)[0] ?? null
}

async function opened(table: Tape): Promise<HTMLElement> {
  await begun(table)
  await press(await until(() => all('button', /^Talk/)[0]))
  return until(() => all('dialog', 'Talk')[0] ?? all('region', 'Talk')[0])
}

test('people talk while they wait, and what is new at a table is seen', async () => {
  const table = told()
  await visit(table, table.address)
  await until(() => all('region', 'Talk')[0])
  await until(() => words(the('region', 'Talk')).includes('Nobody has said anything yet.'))
  table.happen('Béla sits down')
  await until(() => words().includes('Béla'))
  table.happen('Béla wishes luck')
  await until(() => lines().join() === 'Good luck, have fun!')
  for (const event of ['seats move', 'lots are drawn', 'all begins']) table.happen(event)
  const button = await until(() => all('button', 'Talk')[0])
  table.happen('Béla says hello')
  await until(() => nameOf(button) === 'Talk: 1 new line')
  expect(words(find('.bubble'))).toBe(`Béla ${HELLO}`)
  await press(button)
  expect(nameOf(button)).toBe('Talk')
  expect(find('.bubble')).toBe(null)
  expect(lines()).toEqual(['Good luck, have fun!', HELLO])
})

test('what is said is a text, sent once, and what cannot be said is told', async () => {
  const table = told()
  const panel = await opened(table)
  const field = the('textbox', 'Say something', panel)
  for (const text of ['<b>Hi</b> https://evil.example שלום', '\u200b']) {
    await write(field, text)
    await press(the('button', 'Send', panel))
  }
  expect(words(the('alert', undefined, panel))).toContain('it has no visible characters')
  await press(the('button', 'Thank you!', panel))
  await until(() => lines().includes('Thank you!'))
  expect(lines().slice(-2)).toEqual(['<b>Hi</b> https://evil.example שלום', 'Thank you!'])
  expect(panel.querySelector('.said a, .said b')).toBe(null)
  expect(table.sent).toEqual([
    { type: 'say', text: '<b>Hi</b> https://evil.example שלום', id: '' },
    { type: 'say', text: '\u200b', id: '' },
    { type: 'say', phrase: 'thanks', id: '' },
  ])
})

test('a line is reported, and whoever said it is muted and heard again', async () => {
  const table = told()
  const panel = await opened(table)
  table.happen('Béla says hello')
  await until(() => lines().includes(HELLO))
  await press(all('button', 'Mute or report Béla', panel).at(-1)!)
  await press(the('button', 'More phrases', panel))
  await press(the('button', 'Report', panel))
  expect(all('group', 'Ready phrases')).toEqual([])
  await press(the('checkbox', 'Mute Béla', panel))
  await press(the('checkbox', /^Block Béla/, panel))
  const what = the('combobox', 'What is it about?', panel) as HTMLSelectElement
  await write(what, 'flood')
  table.answer(`POST /api/tables/${table.table}/reports`, {})
  await press(the('button', 'Send the report', panel))
  expect(words(the('status', undefined, panel))).toMatch(/^Reported\..* You have blocked Béla\./)
  await press(the('button', 'Fewer phrases', panel))
  const body = { line: expect.any(Number), about: 'flood', block: true }
  expect(table.asked).toMatchObject([{ ask: expect.stringMatching(/reports$/), body }])
  // A host takes it away.
  const said = table.exchanges.flatMap(({ hears }) => hears).find((one) => one.type === 'said')!
  table.sockets.at(-1)!.hear({ ...said, line: { ...said.line, text: '', phrase: 'taken' } })
  await until(() => lines().includes('(taken away by a host of the server)'))
  table.sockets.at(-1)!.hear(said)
  await until(() => lines().includes(HELLO))
  await press(all('button', 'Mute or report Béla', panel).at(-1)!)
  await press(the('button', 'Mute', panel))
  expect(lines()).toEqual([])
  expect(words(panel)).toContain('You have muted Béla.')
  await press(all('button', 'Hear again', panel)[0]!)
  expect(lines()).toContain(HELLO)
  // With the same press they are muted: both sentences stand beside each other.
  await press(all('button', 'Mute or report Béla', panel)[0]!)
  await press(the('button', 'Report', panel))
  await press(the('button', 'Send the report', panel))
  await until(() => words(panel).includes('You have muted Béla. Reported. '))
  await press(all('button', 'Hear again', panel)[0]!)
  // All phrases are behind those at hand.
  const few = all('button', undefined, the('group', 'Ready phrases')).length
  await press(the('button', 'More phrases', panel))
  expect(all('button', undefined, the('group', 'Ready phrases')).length).toBeGreaterThan(few + 15)
})

test('where only phrases are said nothing is written, and where nobody talks there is no button', async () => {
  const panel = await opened(told(['"watch":"anyone"', '"talk":"phrases"']))
  expect(all('textbox', undefined, panel)).toEqual([])
  expect(words(panel)).toContain('At this table only ready phrases are said.')
  document.body.textContent = ''
  expect(await begun(told(['"watch":"anyone"', '"talk":"off"']))).toBe(null)
})

test('those who look on are told who hears them', async () => {
  const panel = await opened(told([/"you":\d/g, '"you":null'], ['"you":true', '"you":false'], ['"host":true,', '']))
  expect(words(panel)).toContain('Until the game is over, only those who look on hear you.')
})

test('who is nobody yet says their name first, and what they were about to say is kept', async () => {
  const table = told([/"hears":\[\s*{"type":"ack".*?}\]/gs, '"hears":[{"type":"error","code":"name_first","id":""}]'])
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  table.answer('PUT /api/me', {})
  const panel = await opened(table)
  await write(the('textbox', 'Say something', panel), '<b>Hi</b> https://evil.example שלום')
  await press(the('button', 'Send', panel))
  await write(await until(() => all('textbox', 'What shall the others call you?', panel)[0]), 'Eve')
  await press(the('button', 'Go on', panel))
  expect(table.asked).toEqual([{ ask: 'PUT /api/me', body: { name: 'Eve' } }])
  expect(reload).toHaveBeenCalled()
  document.body.textContent = ''
  // The page is there again: it is open, and what was written still stands there.
  await begun(told())
  expect(await until(() => (all('textbox', 'Say something')[0] as HTMLInputElement | undefined)?.value)).toContain('Hi')
})

test('nobody has to talk, and who listens can be told', async () => {
  const table = told()
  await begun(table)
  await until(() => all('button', 'Talk')[0])
  await press(all('button', 'Settings')[0]!)
  const choose = async (group: string, answer: string | RegExp): Promise<void> => {
    const drawer = await until(() => all('dialog', 'Settings')[0])
    await press(the('radio', answer, await until(() => all('group', group, drawer)[0])))
  }
  await choose('Announce what is said to a screen reader', 'Yes')
  await strike('Escape')
  table.happen('Béla says hello')
  await until(() => spoken().includes(`Béla: ${HELLO}`))
  await choose('Talk at tables', /^Off/)
  expect(all('button', /^Talk/)).toEqual([])
})
