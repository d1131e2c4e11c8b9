import { describe, expect, it } from 'vitest'
import { targets } from './moves'

describe('a move of a game that has no places for it', () => {
  it('is shown at its player', () => {
    const move = { notation: 'D4', words: { key: 'move.put', args: {} }, steps: [] }
    expect(targets('go', {}, 1, false, move)).toEqual(['seat:1'])
  })
})
