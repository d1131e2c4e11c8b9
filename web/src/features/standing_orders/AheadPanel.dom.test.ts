import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import AheadLink from './AheadLink.svelte'
import AheadPanel from './AheadPanel.svelte'
import { AheadSandbox } from './ahead.svelte'
import { texts } from '../../lib/i18n.svelte'
import { need } from '../../lib/parts'
import type { Language } from '../../lib/settings.svelte'
import type { GuessState, OrderInfo, OrdersInfo } from '../../lib/wire'
import type { TableSession } from '../../table/tableSession.svelte'
import { all, press, the, until, words } from '../../testing/page'
import { show } from '../../testing/part'
import { Tape } from '../../testing/tape'
import { speak } from '../../testing/words'

const TABLE = '/api/tables/t1/ahead'

const order = (id: string, question = 'ask.turn'): OrderInfo => ({
  id,
  asked: { key: question, args: {} },
  words: { key: id, args: {} },
})

const list = (ids: string[], more: Partial<OrdersInfo> = {}): OrdersInfo => ({
  seat: 0,
  orders: ids.map((id) => order(id)),
  quiet: false,
  goes_on: false,
  alert: false,
  soon: false,
  most: 12,
  ...more,
})

/** The panel with a list, at a server that answers so. */
async function panel(shown: OrdersInfo, tape = new Tape([]), language: Language = 'en'): Promise<AheadSandbox> {
  await speak(language)
  await need('ahead')
  tape.begin()
  const sandbox = new AheadSandbox('t1', 0)
  sandbox.list = shown
  sandbox.guess = { asked: true, moves: [{ seat: 1 }, { seat: 0 }], seq: 4 } as unknown as GuessState
  const session = {
    source: sandbox,
    you: 0,
    told: (_: number, phrase: { key: string }) => `Move ${phrase.key}`,
    say: { phrase: ({ key }: { key: string }) => `the question ${key}` },
    selection: { back() {} },
  } as unknown as TableSession
  show(AheadPanel, { session })
  return sandbox
}

const rows = (): string[] => [...document.querySelectorAll('.beside .grows')].map((one) => words(one))

test('moves stand in their order under the question that they answer, once for those that follow one another', async () => {
  await panel({ ...list([]), orders: [order('a'), order('b'), order('c', 'ask.offer')] })
  expect(rows()).toEqual(['Move a', 'Move b', 'Move c'])
  expect([...document.querySelectorAll('.beside .asked')].map((one) => words(one))).toEqual([
    'When asked: the question ask.turn',
    'When asked: the question ask.offer',
  ])
  expect(words(the('region', 'Moves ahead'))).toContain('Others have made 1 move in this guess.')
})

test('every button says what it does to which move, and can be reached by keys', async () => {
  await panel(list(['a', 'b']))
  const buttons = all('button')
  expect(buttons.map((one) => one.getAttribute('aria-label') ?? words(one))).toEqual([
    'Take out: Move a',
    'Earlier: Move b',
    'Take out: Move b',
    'Another guess',
    'Withdraw all',
  ])
  for (const one of [...buttons, ...all('checkbox'), the('link', 'Back to the table')]) {
    one.focus()
    expect(document.activeElement).toBe(one)
  }
})

test('one is moved up, taken out, or all are withdrawn: what stays is said, with what was said of the list', async () => {
  const terms = { quiet: true, goes_on: true, alert: true }
  const tape = new Tape([])
  for (const ids of [[], ['b'], ['b', 'a']]) tape.answer(`PUT ${TABLE}`, list(ids, terms))
  await panel(list(['a', 'b'], terms), tape)
  await press(the('button', 'Earlier: Move b'))
  await until(() => rows()[0] === 'Move b')
  await press(the('button', 'Take out: Move a'))
  await until(() => rows().length === 1)
  await press(the('button', 'Withdraw all'))
  await until(() => rows().length === 0)
  expect(tape.asked.map(({ body }) => body)).toEqual([['b', 'a'], ['b'], []].map((ids) => ({ ids, ...terms, seat: 0 })))
  expect(words(document.querySelector('.beside')!)).toContain('Nothing is written yet.')
})

test('what is said of the whole list is said by a tick, also by two at once', async () => {
  const tape = new Tape([])
  tape.answer(`PUT ${TABLE}`, list(['a'], { goes_on: true, quiet: true }))
  tape.answer(`PUT ${TABLE}`, list(['a'], { goes_on: true }))
  await panel(list(['a']), tape)
  const [quiet, , on] = all('checkbox') as HTMLInputElement[]
  on!.click()
  flushSync()
  quiet!.click() // before the first is answered
  await until(() => tape.asked.length === 2)
  expect(tape.asked.map(({ body }) => body)).toEqual([
    { ids: ['a'], quiet: false, goes_on: true, alert: false, seat: 0 },
    { ids: ['a'], quiet: true, goes_on: true, alert: false, seat: 0 },
  ])
})

test('a refusal is told at once, and the list stays as it was', async () => {
  const problem = { title: 'Changed', status: 409, detail: '', code: 'orders_changed', args: {} }
  await panel(list(['a', 'b']), new Tape([]).answer(`PUT ${TABLE}`, problem, 409))
  await press(the('button', 'Take out: Move a'))
  const alert = await until(() => document.querySelector('.beside [role=alert]'))
  expect(words(alert)).toBe('The list has changed meanwhile. Look at it again.')
  expect(rows()).toEqual(['Move a', 'Move b'])
})

test.each<Language>(['en', 'hu'])('a full list says how many moves it has (%s)', async (language) => {
  const many = Array.from({ length: 12 }, (_, at) => `m${at}`)
  await panel(list(many), new Tape([]), language)
  expect(words(document.querySelector('.beside')!)).toContain('12')
  expect(rows().length).toBe(12)
  expect(texts.language).toBe(language)
})

/** The place at the table, of a person who waits or is asked. */
async function link(answer: OrdersInfo, yourTurn: boolean, tape = new Tape([])): Promise<HTMLElement> {
  await speak('en')
  await need('ahead')
  tape.answer(`GET ${TABLE}?seat=0`, answer).begin()
  return show(AheadLink, { session: { source: { id: 't1', seq: 4 }, you: 0, yourTurn } as unknown as TableSession })
}

test('who waits is shown the way and how many moves there are', async () => {
  const place = await link(list(['a', 'b']), false)
  const way = await until(() => place.querySelector('a'))
  expect([words(way), way.getAttribute('href')]).toEqual(['Moves ahead: 2', '#/ahead/t1/0'])
})

test('who is asked while one of them will be made withdraws it by a press, and is told nothing otherwise', async () => {
  const tape = new Tape([]).answer(`PUT ${TABLE}`, list([]))
  const place = await link(list(['a'], { soon: true }), true, tape)
  await until(() => place.querySelector('[role=status]'))
  await press(the('button', 'Withdraw all'))
  await until(() => !place.querySelector('[role=status]'))
  expect(tape.asked.map(({ body }) => body)).toEqual([{ ids: [], quiet: false, goes_on: false, alert: false, seat: 0 }])
  expect(words(place)).toBe('')
})
