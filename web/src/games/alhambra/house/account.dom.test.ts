import { expect, test, vi } from 'vitest'
import { all, coming, press, says, stops, the, until, visit, words, write } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'

const told = (story = 'account'): Tape => tape(story, 'alhambra/house')
const reload = (): unknown => vi.spyOn(location, 'reload').mockImplementation(() => undefined)
const button = (name: string | RegExp): Promise<HTMLElement> => coming('button', name)

/** One's own page, once one has said one's name. */
async function named(page: Tape): Promise<void> {
  await visit(page, '#/me')
  await write(await until(() => all('textbox', /^Your name/)[0]), 'Ada')
  await press(await button('Save'))
  await says('Saved.')
}

test('a guest becomes somebody who can come back, with a token that is shown once, and goes', async () => {
  const page = told()
  const begins = reload()
  await named(page)
  await says('You are a guest')
  await says('Passkeys work only at an https address')
  // A guest has no tokens, and is told what it would mean to sign out.
  await says('Choose a way to sign in first, above')
  await press(await button('Sign out here'))
  await says('You could not come back yet')
  expect(begins).not.toHaveBeenCalled()
  await press(the('radio', 'Owl'))
  await until(() => all('radiogroup', 'Its colour')[0] ?? all('group', 'Its colour')[0])
  await press(await button('Make ten codes'))
  const codes = await until(() => all('dialog', 'Recovery codes')[0])
  expect(all('listitem', undefined, codes).length).toBe(10)
  await press(the('button', 'Close', codes))
  await says('You are no longer a guest')
  await press(await button('Make a link'))
  const link = await until(() => all('dialog', 'Another device')[0])
  await until(() => all('img', 'QR code of the link', link)[0])
  expect((all('textbox', undefined, link)[0] as HTMLInputElement).value).toMatch(/#\/me\/\w+/)
  await press(the('button', 'Close', link))
  // A program has a token, which is seen once and withdrawn.
  await write(the('textbox', 'What is the program called?'), 'My bot')
  await press(await button('Make a token'))
  const made = await until(() => all('dialog', 'Your new token')[0])
  const token = (the('textbox', 'The token', made) as HTMLInputElement).value
  expect(token.length).toBeGreaterThan(20)
  await press(the('button', 'Close', made))
  expect(document.body.innerHTML).not.toContain(token)
  await press(await button('Withdraw the token My bot'))
  await until(() => all('button', 'Withdraw the token My bot').length === 0)
  // A wrong code is refused in words.
  await write(the('textbox', 'Recovery code'), 'aaaa-bbbb-cccc')
  await press(await button('Sign in'))
  await says('This link or code has been used, is too old, or has a mistake in it.')
  expect(the('link', 'Download everything').getAttribute('href')).toBe('/api/me/everything')
  await press(await button('Delete my data'))
  await press(the('button', 'Delete everything for good', await until(() => all('dialog', 'Delete everything?')[0])))
  expect(begins).toHaveBeenCalled()
  expect(page.asked.map(({ ask }) => ask.replace(/\w{8,}$/, '…'))).toEqual([
    'PUT /api/me',
    'PUT /api/me',
    'POST /api/me/codes',
    'POST /api/me/link',
    'POST /api/me/tokens',
    'DELETE /api/me/tokens/…',
    'POST /api/sign-in',
    'DELETE /api/me',
  ])
  expect(page.asked[1]!.body).toEqual({ mark: { picture: 'owl', colour: 'indigo' } })
})

test('a device is signed out from another one', async () => {
  const page = told()
  const here = { id: 'a', name: 'Firefox', here: true, created: '2026-06-01T12:00:00Z', seen: '2026-06-01T12:00:00Z' }
  const mine = { codes: 9, passkeys: [], identities: [] }
  page.answer('GET /api/me/account', { ...mine, devices: [here, { ...here, id: 'b', here: false }] })
  page.answer('DELETE /api/me/devices/others', null, 204)
  await named(page)
  page.answer('GET /api/me/account', { ...mine, devices: [here] })
  await press(await button('Sign out everywhere else'))
  await until(() => all('button', 'Sign out everywhere else').length === 0)
  expect(page.asked.at(-1)).toEqual({ ask: 'DELETE /api/me/devices/others' })
})

test('the provider of a host keeps seats and brings back', async () => {
  const page = told()
  page.answer('GET /api/sign-in', { provider: 'Our club' })
  page.answer('POST /api/sign-in/oidc', { url: 'https://club.example/' })
  const goes = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  await visit(page, '#/me')
  for (const [name, keep] of [
    ['Keep my seats with Our club', true],
    ['Sign in with Our club', false],
  ] as const) {
    await press(await button(name))
    expect(page.asked.at(-1)).toEqual({ ask: 'POST /api/sign-in/oidc', body: { keep } })
  }
  expect(goes).toHaveBeenCalledWith('https://club.example/')
})

test('a link makes this device mine, once', async () => {
  const page = told()
  const begins = reload()
  page.answer('POST /api/sign-in', { title: '', status: 403, detail: '', code: 'bad_secret' }, 403)
  await visit(page, '#/me/secret')
  const yes = await button('Yes, this device is mine')
  expect(page.asked).toEqual([])
  await press(yes)
  await says('This link or code has been used')
  expect(begins).not.toHaveBeenCalled()
  page.answer('POST /api/sign-in', { id: 'a', name: 'Ada' })
  await press(yes)
  expect(page.asked.at(-1)).toEqual({ ask: 'POST /api/sign-in', body: { secret: 'secret' } })
  expect(begins).toHaveBeenCalled()
})

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
