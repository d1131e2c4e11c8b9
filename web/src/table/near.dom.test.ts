import { expect, test } from 'vitest'
import { speak } from '../testing/words'
import { either } from './near'

test('one of several takes the device', async () => {
  await speak('en')
  expect(either(['Ada'])).toBe('Ada')
  expect(either(['Ada', 'Béla'])).toBe('Ada or Béla')
  await speak('hu')
  expect(either(['Ada', 'Béla'])).toBe('Ada vagy Béla')
})
