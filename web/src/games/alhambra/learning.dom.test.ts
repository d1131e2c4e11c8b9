import { expect, test } from 'vitest'
import type { PuzzleProgress } from '../../lib/wire'
import { all, bar, nameOf, press, settled, the, until, visit, words } from '../../testing/page'
import { tape, type Tape } from '../../testing/tape'

const opened = (story: string): Tape => tape(story, 'alhambra')
const money = (name: string): HTMLElement => the('button', name, the('region', 'Open money'))
const coach = (): string => all('region', 'Lesson').map(words).join()
const finder = (): string => all('region', 'Find the move').map(words).join()
const take = async (...cards: string[]): Promise<void> => {
  for (const card of cards) await press(money(card))
  await press(the('button', 'Take the money'))
}

test('a lesson tells what is right and what is not, and goes on where it was left', async () => {
  const told = opened('learning')
  await visit(told, '#/learn/alhambra/market')
  await until(() => all('region', 'Open money').length)
  expect(coach()).toContain('Step 1 of 5')
  await take('Orange 9')
  expect(coach()).toContain('orange 9: now it is in your hand, and your turn is over.')
  await press(the('button', 'Next'))
  expect(coach()).toContain('Step 2 of 5')
  await take('Orange 9')
  expect(coach()).toContain('orange 9: a large card has to be taken alone.')
  await take('Blue 2', 'Yellow 3')
  expect(coach()).toContain('2 and 3 are exactly 5, so both are yours.')

  // What was done once is done.
  for (const address of ['#/no/such/page', '#/learn/alhambra/market']) {
    location.hash = address
    dispatchEvent(new Event('hashchange'))
    await settled()
  }
  await until(() => coach().includes('Step 3 of 5'))
  // The whole move is told, also what can be touched only after its first half.
  await press(the('button', 'Show me'))
  expect(coach()).toMatch(/Like this: .*arcades 6.* with /)
  await press(the('button', /^arcades 6/))
  expect(bar.deeds).toContain('Buy it')
  await press(the('button', 'Buy it'))
  expect(coach()).toContain('You paid 7 for 6: the 1 is lost, and your turn is over.')
})

test('what is right is told also after what was wrong', async () => {
  await visit(opened('learning'), '#/learn/alhambra/market')
  await until(() => all('region', 'Open money').length)
  await take('Orange 9')
  await press(the('button', 'Next'))
  await take('Orange 9')
  expect(coach()).toContain('orange 9: a large card has to be taken alone.')
  await press(the('button', 'Show me'))
  expect(coach()).toMatch(/Like this: take .*blue 2.* yellow 3/)
  expect(coach()).not.toContain('a large card has to be taken alone.')
})

test('a move is missed and explained, and the puzzle is put again', async () => {
  const progress = { rating: { value: 1500, give: 686 }, answered: 0, found: 0, all: 160, next: null }
  const told = opened('finding').answer('GET /api/find/alhambra', progress satisfies PuzzleProgress)
  const at = told.lines.flatMap((line) => ('ask' in line ? [line.ask] : [])).find((ask) => ask.startsWith('POST'))!
  await visit(told, `#${at.replace('POST /api', '')}`)
  await until(() => all('region', 'Open money').length)
  await until(() => finder().includes('One move here is clearly better than all others.'))
  expect(finder()).toContain('32 moves to choose from')
  await take(nameOf(all('button', undefined, the('region', 'Open money'))[0]!))
  for (const said of [
    'A costly mistake',
    'It lowers your chance of winning by about 9 percentage points (5 to 12). 2 moves are better.',
    'Best: buy the tower 9 with yellow 9',
    'Denies Mason about 6 points: towers.',
    '1 of 160 answered, 0 found',
  ])
    expect(finder()).toContain(said)
  expect(all('listitem', undefined, the('list', 'Why this move'))).toHaveLength(4)
  await press(the('button', 'Once more'))
  expect(finder()).toContain('Your first answer counts; this one does not.')
  expect(told.asked.map(({ ask }) => ask)).toEqual([at])
})
