import { expect, test } from 'vitest'
import { show } from '../testing/part'
import SpriteIcon from './SpriteIcon.svelte'

test('an icon is an outline, and a solid one is filled with its colour', () => {
  const drawn = (solid?: boolean): SVGElement => show(SpriteIcon, { id: 'tower', solid }).querySelector('svg')!
  expect(drawn().getAttribute('fill')).toBe('none')
  expect(drawn(true).getAttribute('fill')).toBe('currentColor')
  for (const icon of [drawn(), drawn(true)]) {
    expect(icon.getAttribute('stroke')).toBe('currentColor')
    expect(icon.querySelector('use')!.getAttribute('href')).toBe('#tower')
  }
})
