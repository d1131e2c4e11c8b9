import { expect, test, vi } from 'vitest'

const texts = vi.hoisted(() => ({ locale: 'en-GB' }))
vi.mock('./i18n.svelte', () => ({ texts }))

import { either } from './near'

test('one of several takes the device', () => {
  expect(either(['Ada'])).toBe('Ada')
  expect(either(['Ada', 'Béla'])).toBe('Ada or Béla')
  texts.locale = 'hu-HU'
  expect(either(['Ada', 'Béla'])).toBe('Ada vagy Béla')
})
