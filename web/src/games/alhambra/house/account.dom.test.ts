import { expect, test, vi } from 'vitest'
import { all, coming, press, says, the, until, visit, write } from '../../../testing/page'
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

test('a guest becomes somebody who can come back, and goes', async () => {
  const page = told()
  const begins = reload()
  await named(page)
  await says('You are a guest')
  await says('Passkeys work only at an https address')
  // A guest is told what it would mean to sign out.
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
