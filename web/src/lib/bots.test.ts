import { expect, it } from 'vitest'
import { usualBot } from './bots'

it('is not the strongest who sits down where nobody chose', () => {
  expect(usualBot(['random', 'apprentice', 'greedy', 'builder', 'architect', 'master'])).toBe('greedy')
  expect(usualBot(['random'])).toBe('random')
  expect(usualBot([])).toBeUndefined()
})
