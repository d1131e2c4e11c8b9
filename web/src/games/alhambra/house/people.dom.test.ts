import { expect, test } from 'vitest'
import { all, coming, press, says, settled, the, until, visit } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'
import type { HomeInfo } from '../../../lib/wire'

const told = (): Tape => tape('group', 'alhambra/house')
const button = (name: string | RegExp): Promise<HTMLElement> => coming('button', name)

test('somebody one has played with is invited, blocked, and not blocked', async () => {
  const page = told()
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

test('the way to people and groups is on the first page of everybody, once', async () => {
  const page = told()
  const [table] = page.lines.flatMap((line) =>
    'ask' in line && line.ask === 'GET /api/home' ? (line.answer as HomeInfo).tables : [],
  )
  const alone = { ...table!, status: 'playing', seats: table!.seats.map((seat) => ({ ...seat, kind: 'bot' })) }
  for (const tables of [[], [alone], [{ ...alone, status: 'ended' }]]) {
    page.answer('GET /api/home', { tables, waits: {}, groups: [] })
    await visit(page, '#/')
    expect((await coming('link', 'People and groups')).getAttribute('href')).toBe('#/people')
    await settled()
    expect(all('link', 'People and groups')).toHaveLength(1)
  }
})
