import { expect, test } from 'vitest'
import { all, coming, press, says, the, until, visit, write } from '../../../testing/page'
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

test('a program has a token, which is seen once and withdrawn', async () => {
  const page = told()
  await named(page)
  // A guest has none.
  await says('Choose a way to sign in first, above')
  await press(the('radio', 'Owl'))
  await until(() => all('radiogroup', 'Its colour')[0] ?? all('group', 'Its colour')[0])
  await press(await button('Make ten codes'))
  await press(the('button', 'Close', await until(() => all('dialog', 'Recovery codes')[0])))
  await says('You are no longer a guest')
  await write(the('textbox', 'What is the program called?'), 'My bot')
  await press(await button('Make a token'))
  const made = await until(() => all('dialog', 'Your new token')[0])
  const token = (the('textbox', 'The token', made) as HTMLInputElement).value
  expect(token.length).toBeGreaterThan(20)
  await press(the('button', 'Close', made))
  expect(document.body.innerHTML).not.toContain(token)
  await press(await button('Withdraw the token My bot'))
  await until(() => all('button', 'Withdraw the token My bot').length === 0)
  expect(page.asked.slice(-2).map(({ ask }) => ask.replace(/\w{8,}$/, '…'))).toEqual([
    'POST /api/me/tokens',
    'DELETE /api/me/tokens/…',
  ])
})
