import { describe, expect, it } from 'vitest'
import { each, open, type Move } from './view'

const build = (action: number, cards: string[], economy = false): Move => ({
  action,
  type: 'build',
  notation: '',
  stage: 1,
  payment: action,
  cards,
  economy,
  engineering: false,
  points: 3,
  forced: true,
})

describe('what is still to be decided', () => {
  const moves = [build(1, ['wood', 'coin']), build(2, ['wood', 'stone']), build(3, ['wood', 'coin'], true)]
  it('is nothing with one choice left', () => {
    expect(open([moves[0]!])).toBeNull()
  })
  it('is the payment, if a stage can be paid in several ways', () => {
    expect(open(moves)).toBe('payment')
  })
  it('a payment with a token is another one than the same cards without it', () => {
    expect(each(moves, 'payment').map(({ action }) => action)).toEqual([1, 2, 3])
    expect(each(moves, 'stage').map(({ action }) => action)).toEqual([1])
  })
  it('is the token, once the set is chosen', () => {
    const claim = (action: number, token: string): Move => ({
      action,
      type: 'claim',
      notation: '',
      cards: ['gear', 'gear'],
      token,
      forced: true,
    })
    expect(open([claim(1, 'decor'), claim(2, 'stack')])).toBe('token')
  })
})
