import { expect, test } from 'vitest'
import { all, bar, press, sit, the, until, words } from '../../testing/page'
import { tape } from '../../testing/tape'

test('a finished game is gone through move by move', async () => {
  await sit(tape('ended', 'architects'))
  await press(the('button', /^Left deck/))
  await press(the('button', 'Build'))
  await press(await until(() => all('button', 'Look through the game')[0]))
  const at = (): string =>
    all('region')
      .map(words)
      .find((one) => one.includes(' of 2')) ?? ''
  await until(() => at().includes('The beginning Move 0 of 2'))
  for (const [what, where] of [
    ['One move forward', "Ada takes brick from Giza's deck. Move 1 of 2"],
    ['To the end', 'Move 2 of 2'],
    ['One move back', 'Move 1 of 2'],
  ] as const) {
    await press(the('button', what))
    expect(at()).toContain(where)
  }
  await press(the('button', 'Back to the result'))
  expect(bar.deeds).toContain('Where the points come from')
})
