import { describe, expect, it } from 'vitest'
import { forEverybody, read, targets } from './moves'

describe('a move of a game that has no words or places for it', () => {
  it('asks the catalogue for a key of its own', () => {
    expect(read('go', 'D4')?.key).toBe('move.D4')
  })
  it('is called alike by everybody', () => {
    expect(forEverybody('go', {}, 1, 'D4')).toBe('D4')
  })
  it('is shown at its player', () => {
    expect(targets('go', {}, 1, false, 'D4')).toEqual(['seat:1'])
  })
})
