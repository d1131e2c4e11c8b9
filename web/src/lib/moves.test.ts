import { describe, expect, it } from 'vitest'
import { targets } from './moves'

describe('a move of a game that has no places for it', () => {
  it('is shown at its player', () => {
    const move = { notation: 'D4', words: { key: 'move.put', args: {} }, steps: [] }
    expect(targets('go', {}, 1, false, move)).toEqual(['seat:1'])
  })

  describe('a move that somebody has begun', () => {
    const step = (action: number): Choice => ({ action, notation: '', type: 'lay', card: `c${action}` }) as Choice
    const move = { notation: '', words: { key: '', args: {} }, steps: [step(4), step(4), step(5), step(9)] }
    const left = (...done: number[]): unknown => targets('babel', {}, 0, true, move, done.map(step))
    it('is shown by what is still to be touched, and at last by its button', () => {
      expect(left()).toEqual(['hand:c4', 'hand:c5', 'hand:c9'])
      expect(left(4, 5)).toEqual(['hand:c4', 'hand:c9'])
      expect(left(4, 4, 5)).toEqual(['hand:c9', 'deed:9'])
      expect(left(4, 4, 5, 9)).toEqual(['deed:9'])
      expect(left(4, 7, 4, 5)).toEqual(['hand:c9', 'hand:c7'])
    })
  })
})
