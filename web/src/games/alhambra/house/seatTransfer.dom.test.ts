import { expect, test } from 'vitest'
import { all, press, the, until, visit, words, write } from '../../../testing/page'
import { tape } from '../../../testing/tape'

test('a friend takes a seat by a link, which is good once', async () => {
  const page = tape('hand', 'alhambra/house')
  const path = /\/api\/tables\/(\w+)/.exec(JSON.stringify(page.lines))![1]!
  const address = `#/take/${path}/secret`
  page.answer(`POST /api/tables/${path}/take`, { id: path })
  await visit(page, address)
  await until(() => words().includes('Ada hands you a seat: Alhambra'))
  expect((the('textbox', /^Your name at this table/) as HTMLInputElement).value).toBe('Béla')
  await write(the('textbox', /^Your name at this table/), 'Bob')
  await press(the('button', 'Take the seat'))
  expect(page.asked).toMatchObject([{ body: { secret: 'secret', name: 'Bob' } }])
  expect(location.hash).toBe(`#/table/${path}`)
  // It is used.
  await visit(page, address)
  await until(() => all('alert')[0])
  expect(words(the('alert'))).toMatch(/^This link has been used/)
})
