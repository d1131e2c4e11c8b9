import { expect, it } from 'vitest'
import { usualBot } from './bots'

it('is not the strongest who sits down where nobody chose', () => {
  expect(usualBot(['random', 'apprentice', 'mason', 'builder', 'architect', 'master'])).toBe('mason')
  expect(usualBot(['random'])).toBe('random')
  expect(usualBot([])).toBeUndefined()
})
