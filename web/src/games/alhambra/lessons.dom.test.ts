import { expect, test } from 'vitest'
import { all, bar, press, settled, the, until, visit, words } from '../../testing/page'
import { tape, type Tape } from '../../testing/tape'

const opened = (story: string): Tape => tape(story, 'alhambra')
const money = (name: string): HTMLElement => the('button', name, the('region', 'Open money'))
const coach = (): string => all('region', 'Lesson').map(words).join()
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
