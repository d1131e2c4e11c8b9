import { describe, expect, it } from 'vitest'
import { each, fits, open, paid, pairs, type Move } from './view'

const build = (action: number, cards: string[], more: Partial<Move> = {}): Move => ({
  action,
  type: 'build',
  notation: '',
  stage: 1,
  cards,
  economy: false,
  engineering: false,
  ...more,
})

describe('what is still to be decided', () => {
  const moves = [build(1, ['wood', 'coin']), build(2, ['wood', 'stone']), build(3, ['wood', 'coin'], { economy: true })]
  it('is nothing with one choice left', () => {
    expect(open([moves[0]!])).toBeNull()
  })
  it('is the payment, if a stage can be paid in several ways', () => {
    expect(open(moves)).toBe('paid')
    expect(each(moves, 'paid')).toHaveLength(3)
  })
  it('a payment with a token is another one than the same cards without it', () => {
    const wish = { type: 'build', paid: paid(moves[2]!) }
    expect(moves.filter((move) => fits(move, wish)).map((move) => move.action)).toEqual([3])
  })
  it('is the token, once the set is chosen', () => {
    const claim = (action: number, token: string): Move => ({
      ...build(action, ['gear', 'gear']),
      type: 'claim',
      token,
    })
    expect(open([claim(1, 'decor'), claim(2, 'stack')])).toBe('token')
  })
})

describe('who fights whom', () => {
  it('two players fight once, more of them fight both neighbours', () => {
    expect(pairs(2)).toEqual([[0, 1]])
    expect(pairs(3)).toEqual([
      [0, 1],
      [1, 2],
      [2, 0],
    ])
  })
})
