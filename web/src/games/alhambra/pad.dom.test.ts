import { expect, test } from 'vitest'
import { show } from '../../testing/part'
import PadPicture, { pad } from './PadPicture.svelte'

test('the pad shows a piece as an icon in its colour, and without a piece brings all pictures', () => {
  expect(pad).toBeDefined()
  const tower = show(PadPicture, { piece: 'tower' })
  expect(tower.querySelector('span')!.style.color).toBe('var(--tower)')
  expect([...tower.querySelectorAll('use')].map((use) => use.getAttribute('href'))).toEqual(['#al-tower'])
  expect(tower.querySelector('symbol')).toBeNull()
  const sprite = show(PadPicture, { piece: '' })
  expect(sprite.querySelector('#al-tower')).not.toBeNull()
  expect(sprite.querySelector('use')).toBeNull()
})
