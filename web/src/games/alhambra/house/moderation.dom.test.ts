import { flushSync, mount, unmount } from 'svelte'
import { expect, test, vi } from 'vitest'
import LaterNotices from '../../../pages/LaterNotices.svelte'
import { all, coming, press, says, settled, the, until, visit, words, write } from '../../../testing/page'
import { tape } from '../../../testing/tape'

const DONKEY = 'You play like a donkey'
const told = (): ReturnType<typeof tape> => tape('host', 'alhambra/house')
const go = async (part: string): Promise<void> => press(await coming('button', part, the('navigation')))
const asked = (page: ReturnType<typeof tape>): unknown => page.asked.at(-1)!.body

test('a host looks after the server', async () => {
  const page = told()
  await visit(page, '#/host/token')
  await until(() => location.hash === '#/host')
  expect(asked(page)).toEqual({ token: 'token' })
  // What was reported is settled, and then among what was looked at.
  await says(DONKEY)
  const said = all('listitem').find((one) => words(one).includes(DONKEY))
  await press(await coming('button', 'Settle the report', said))
  const report = await coming('dialog', 'Settle the report')
  await write(the('textbox', 'What was done (hosts read it)', report), 'Warned.')
  await write(the('combobox', /^To Walter/, report), 'warned')
  await press(the('checkbox', /^Take the line away/, report))
  await press(the('button', 'Settle the report', report))
  await says('The report is settled.')
  expect(words()).not.toContain(DONKEY)
  expect(asked(page)).toEqual({ done: 'Warned.', text: '', to_person: 'warned', to_reporter: 'thanks', take: true })
  await press(await coming('button', 'Looked at'))
  await says('Warned.')
  // A person is found, renamed and shut out.
  await go('People')
  const find = async (who: string): Promise<HTMLElement> => {
    await write(await coming('searchbox', /^A part of the name/), who)
    await press(await coming('button', 'Find'))
    await press(await coming('button', new RegExp(`^${who}`)))
    return coming('dialog', 'A person')
  }
  const walter = await find('Walt')
  expect(words(walter)).toContain('A network ends being shut when')
  await write(the('textbox', 'New name', walter), 'Wally')
  await press(the('button', 'Give another name', walter))
  await says('Walter has another name now, and is told so.')
  expect(asked(page)).toMatchObject({ do: 'rename', name: 'Wally' })
  await press(the('button', 'Shut out', await find('Wally')))
  await says('Wally is shut out.')
  expect(asked(page)).toMatchObject({ do: 'bar', days: 7, network: false })
  // A table is ended, after a question.
  await go('Tables')
  await write(await coming('searchbox', /^The id of the table/), 'Wally')
  await press(await coming('button', 'Find'))
  await press(await coming('button', /Wally/))
  const table = await until(() => all('dialog')[0])
  the('button', 'Look on', table)
  await press(the('button', 'End the game', table))
  await press(await coming('button', 'End it for good', table))
  await says('The game is ended.')
  expect(asked(page)).toEqual({ do: 'end', seat: 0 })
  // Everybody is told something, and the server is maintained for a while.
  await go('Server')
  await says('Players here now')
  const message = the('region', 'A message to everybody')
  await write(the('textbox', 'English', message), 'Tea at five!')
  await write(the('textbox', 'Magyar', message), 'Ötkor tea!')
  await press(the('button', 'Show it to everybody', message))
  await says('Everybody sees it within a minute, at tables at once.')
  expect(asked(page)).toEqual({ text: { en: 'Tea at five!', hu: 'Ötkor tea!' }, hours: 24 })
  const maintenance = the('region', 'Maintenance')
  await write(all('spinbutton', 'Begins in minutes', maintenance)[0]!, '0')
  await press(the('button', 'Begin', maintenance))
  await says('The server is being maintained: nobody but hosts can use it.')
  await press(await coming('button', 'End the maintenance'))
  await says('The maintenance is over.')
  expect(page.asked.slice(-2).map(({ body }) => (body as { minutes: unknown }).minutes)).toEqual([0, null])
  await go('What hosts did')
  await says('Shut a person out')
})

test('for everybody else there is no such page, and a link is good once', async () => {
  const page = told()
  page.answer('POST /api/me/host', { title: '', status: 403, detail: '', code: 'bad_host_token' }, 403)
  await visit(page, '#/host/token')
  expect(words(await coming('alert'))).toContain('ziggurat admin token')
  page.answer('GET /api/host', { title: '', status: 404, detail: '', code: 'not_found' }, 404)
  await visit(page, '#/host')
  await coming('heading', 'There is nothing at this address.')
})

test('whoever has a browser that keeps nothing is told what hosts say, too, and closes it', async () => {
  const refuse = (): never => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse })
  await visit(told(), '#/nowhere')
  const notices = mount(LaterNotices, { target: document.body, props: { begin() {} } })
  await says('Tea at five!')
  await press(the('button', 'Close'))
  expect(words()).not.toContain('Tea at five!')
  void unmount(notices)
})

test.each([
  ['en', 'Tea at five!', 'The server is being maintained.'],
  ['hu', 'Ötkor tea!', 'A szerver karbantartás alatt áll.'],
] as const)('%s: what hosts say stands over every page, until it is understood', async (language, tea, now) => {
  const page = told()
  const word = { id: 'w', phrase: 'thanks', text: '', at: 1 }
  page.answer('DELETE /api/me/words/w', null, 204)
  await visit(page, '#/nowhere', language)
  const house = page.lines.flatMap((line) => ('ask' in line && line.ask === 'GET /api/house' ? [line] : []))
  Object.assign(house[0]!.answer as object, { words: [word] })
  const notices = mount(LaterNotices, { target: document.body, props: { begin() {} } })
  await says(tea)
  const thanks = all('alert').at(-1)!
  await press(all('button', undefined, thanks)[0]!)
  expect(document.body.contains(thanks)).toBe(false)
  expect(page.asked).toEqual([{ ask: 'DELETE /api/me/words/w' }])
  // A table's socket tells that there is something else.
  dispatchEvent(new Event('house'))
  await says(now)
  dispatchEvent(new Event('house'))
  await until(() => !words().includes(now))
  flushSync()
  await settled()
  void unmount(notices)
})
