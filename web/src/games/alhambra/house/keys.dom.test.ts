import { expect, test } from 'vitest'
import { settings } from '../../../lib/settings.svelte'
import { all, bar, coming, find, press, sit, strike, the, until, words, write } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'

const keyOf = (one: Element): string => one.ariaKeyShortcuts ?? ''
const keyed = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main button')].filter(keyOf)
const TAKEN = 'Take back'

/** Sits down, and has used a key, so that things have theirs. */
async function hands(language: 'en' | 'hu' = 'en'): Promise<Tape> {
  const page = tape('turn', 'alhambra/house')
  await sit(page, language)
  expect(keyed()).toEqual([])
  await strike('Shift')
  await until(() => keyed().length)
  return page
}

test.each(['en', 'hu'] as const)('%s: the keys are on a sheet and on the pieces', async (language) => {
  await hands(language)
  await strike('?')
  const sheet = await coming('dialog')
  expect(
    all('row', undefined, sheet).length + all('term', undefined, sheet).length + sheet.querySelectorAll('kbd').length,
  ).toBeGreaterThanOrEqual(11)
  expect(words(sheet)).not.toMatch(/keys\./)
  const keys = keyed().map(keyOf)
  expect(keys.length).toBeGreaterThanOrEqual(4)
  expect(new Set(keys).size).toBe(keys.length)
  // These mean something everywhere.
  expect(keys.filter((key) => 'zhlw?/'.includes(key))).toEqual([])
})

test('a move is made and taken back by keys, and one that is held does nothing twice', async () => {
  const page = await hands()
  await strike(keyOf(the('button', 'Yellow 9')))
  await coming('button', TAKEN)
  for (let times = 0; times < 5; times++) await strike('Enter', { repeat: true })
  expect(page.said).toEqual([])
  // What is chosen is said to those who listen.
  expect([...document.querySelectorAll('[aria-live=polite]')].map(words).join()).toContain(bar.says)
  await strike('Enter')
  await until(() => page.said.length)
  expect(page.sent).toEqual(page.moves)
  await until(() => keyed().length === 0)
  await strike('z')
  expect(page.sent.at(-1)).toEqual({ type: 'undo', ask: false, id: '' })
  // It showed a card: the others have to agree, and are asked when that was read.
  await until(() => bar.says.includes('so the others have to agree'))
  await strike('z')
  expect(page.sent.at(-1)).toEqual({ type: 'undo', id: '' })
  // By the words of the log, to whoever asked too.
  await until(() => bar.says.startsWith('You asked to undo: '))
  expect(bar.says).toMatch(/^You asked to undo: \S+ takes money: yellow 9\. Still to answer: \S+\.$/)
  expect(bar.deeds).toContain('Never mind')
})

test('a key that does nothing says why, and others lead to the log and to what things are', async () => {
  await hands()
  for (const [key, why] of [
    ['h', 'There are no hints now.'],
    ['z', 'There is nothing to undo.'],
  ] as const) {
    await strike(key)
    await until(() => bar.says.includes(why), key)
    await strike('Escape')
  }
  await strike('l')
  expect(document.activeElement).toBe(the('list', 'What happened'))
  await strike('w')
  await until(() => find('dialog.piece-help[open]'))
})

test('keys leave the browser and fields alone', async () => {
  await hands()
  const key = keyOf(the('button', 'Yellow 9'))
  for (const held of ['ctrlKey', 'altKey', 'metaKey']) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, [held]: true })
    expect(document.body.dispatchEvent(event), held).toBe(true)
  }
  await strike('/')
  const field = await coming('textbox', 'Ask the board')
  field.focus()
  await write(field, '')
  for (const typed of ['5', 'z', key]) await strike(typed)
  expect(all('button', TAKEN)).toEqual([])
})

test('whoever does not want them has none, and arrows and Enter still do', async () => {
  settings.keys = false
  const page = tape('turn', 'alhambra/house')
  await sit(page)
  for (const key of ['1', '5', 'z', '?', 'w', '/']) await strike(key)
  expect([all('dialog'), all('button', TAKEN), keyed()]).toEqual([[], [], []])
  await strike('ArrowRight')
  await strike('Enter')
  await coming('button', TAKEN)
  // They come back when they are wanted.
  await press(the('button', TAKEN))
  await press(all('button', 'Settings')[0]!)
  const wanted = await coming('group', /^Letters and digits choose/)
  await press(all('radio', undefined, wanted).find((one) => !(one as HTMLInputElement).checked)!)
  expect(JSON.parse(localStorage.getItem('ziggurat.settings')!)).toMatchObject({ keys: true })
})
