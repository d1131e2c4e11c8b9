import { describe, expect, it } from 'vitest'
import { targets } from '../../lib/moves'
import { inWordsOf, said } from '../../lib/moves.testing'

inWordsOf('alhambra', [
  'take blue 5',
  'take blue 5#2 green 3',
  'buy seraglio 8 blue with 8 2',
  'buy tower 7 green with 7 for neutral',
])

it('is a sentence in the language of the reader', () => {
  expect(said('alhambra', 'hu', 'buy tower 7 green with 4 3')).toBe('vásárlás: torony 7, fizetség: zöld 4 és zöld 3')
})

describe('the places of a move', () => {
  const alhambra = {
    money: [
      { currency: 'blue', value: 5 },
      { currency: 'green', value: 3 },
      { currency: 'blue', value: 5 },
    ],
    slots: [{ currency: 'yellow' }, { currency: 'green' }],
  }
  it('are cards by where they lie, also when two are alike', () => {
    expect(targets('alhambra', alhambra, 0, true, 'take blue 5#3 green 3')).toEqual(['money:2', 'money:1'])
    expect(targets('alhambra', alhambra, 0, true, 'take green 3')).toEqual(['money:1'])
  })
  it('are the cards of a payment for whoever pays, and for others what is bought', () => {
    const buy = 'buy tower 7 green with 4 4'
    expect(targets('alhambra', alhambra, 0, true, buy)).toEqual(['slot:1', 'green-4-1', 'green-4-2'])
    expect(targets('alhambra', alhambra, 1, false, buy)).toEqual(['slot:1'])
  })
})
