import { describe, expect, it } from 'vitest'
import { targets } from '../../table/moves'
import type { Description } from '../../lib/wire'
import type { Choice } from './wire'

const common = { action: 0, notation: '' }
const move = (...steps: Choice[]): Description => ({ notation: '', words: { key: '', args: {} }, steps })

describe('the places of a move', () => {
  it('are cards by where they lie, also when two are alike', () => {
    const taken = move({ ...common, type: 'take', positions: [2, 1], cards: ['blue 5', 'green 3'], total: 8 })
    expect(targets('alhambra', {}, 0, true, taken)).toEqual(['money:2', 'money:1', 'deed:0'])
  })
  it('are the cards of a payment for whoever pays, and for others what is bought', () => {
    const bought = move(
      { ...common, type: 'buy', slot: 1, building: 'tower 7', currency: 'green' },
      { ...common, type: 'pay', value: 4 },
      { ...common, type: 'pay', value: 4 },
      { ...common, type: 'keep' },
    )
    expect(targets('alhambra', {}, 0, true, bought)).toEqual(['slot:1', 'green-4-1', 'green-4-2'])
    expect(targets('alhambra', {}, 1, false, bought)).toEqual(['slot:1'])
  })
  it('are those of the player, when there is nothing else to point at', () => {
    const kept = { notation: 'keep', words: { key: '', args: {} }, steps: [{ ...common, type: 'keep' } as Choice] }
    expect(targets('alhambra', {}, 1, false, kept)).toEqual(['seat:1'])
    expect(targets('go', {}, 1, false, kept)).toEqual(['seat:1'])
  })
})
