import { describe, expect, it } from 'vitest'
import { targets } from './moves'

describe('a move of a game that has no places for it', () => {
  it('is shown at its player', () => {
    const move = { notation: 'D4', words: { key: 'move.put', args: {} }, steps: [] }
    expect(targets('go', {}, 1, false, move)).toEqual(['seat:1'])
  })
  it('is shown at the buttons of its steps to whoever may make it', () => {
    const step = { action: 7, type: 'put', notation: 'put D4' }
    const move = { notation: 'D4', words: { key: 'move.put', args: {} }, steps: [step] }
    expect(targets('go', {}, 1, true, move)).toEqual(['choice:7', 'deed:7'])
    expect(targets('go', {}, 1, false, move)).toEqual(['seat:1'])
  })
})
