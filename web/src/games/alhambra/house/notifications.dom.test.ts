import { expect, test } from 'vitest'
import { all, coming, press, says, stops, the, until, visit, words, write } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'

const told = (): Tape => tape('account', 'alhambra/house')
const button = (name: string | RegExp): Promise<HTMLElement> => coming('button', name)

/** One's own page, once one has said one's name. */
async function named(page: Tape): Promise<void> {
  await visit(page, '#/me')
  await write(await until(() => all('textbox', /^Your name/)[0]), 'Ada')
  await press(await button('Save'))
  await says('Saved.')
}

test('news are told at places that are added, tried and ended', async () => {
  const page = told()
  const way = { id: 'w', kind: 'hook', address: 'https://hook.example/ada', confirmed: true, wants: ['turn', 'over'] }
  const news = { push_key: 'k', mail: true, hooks: true, quiet: null }
  const are = (...ways: object[]): void => {
    for (let times = 0; times < 5; times++) page.answer('GET /api/me/news', { ...news, ways })
  }
  are()
  await named(page)
  const part = await until(() => all('region', 'Notifications')[0])
  page.answer('POST /api/me/news/hooks', { ...way, secret: 'whsec_1' }, 201)
  are(way)
  page.answer('POST /api/me/news/ways/w/test', null, 204)
  page.answer('PUT /api/me/news', { ...news, ways: [way] })
  page.answer('DELETE /api/me/news/ways/w', null, 204)
  const field = await until(() => all('textbox', /^A webhook/, part)[0])
  await write(field, way.address)
  await press(the('button', undefined, field.closest('form')!))
  await says('whsec_1')
  await press(await coming('button', /^Try/, part))
  await press(all('checkbox', 'A game is over', part)[0]!)
  expect(page.asked.at(-1)).toEqual({ ask: 'PUT /api/me/news', body: { wants: { w: ['turn'] } } })
  await press(the('checkbox', /^Send nothing then/, part))
  expect(page.asked.at(-1)!.body).toMatchObject({ quiet: { begin: 22 * 60, end: 7 * 60 } })
  are()
  await press(await coming('button', `Remove: ${way.address}`, part))
  await until(() => all('listitem', undefined, part).length === 0)
  expect(stops(part).length).toBeGreaterThan(0)
})

test('a link in a message does at once what it is for', async () => {
  const page = told()
  page.answer('POST /api/news/confirm/w/s', { address: 'ada@games.example' })
  await visit(page, '#/me/news.confirm.w.s')
  await says('ada@games.example')
  page.answer('POST /api/news/end/x/y', { title: '', status: 404, detail: '', code: 'unknown_link' }, 404)
  await visit(page, '#/me/news.end.x.y')
  expect(words(await coming('alert'))).toBe('This link has been used, or is incomplete.')
})
