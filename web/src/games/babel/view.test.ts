import { describe, expect, it } from 'vitest'
import type { Args, GameEvent } from '../../lib/wire'
import { reasons, scored, totals } from './score'
import { artOf, standing } from './art'
import { discsOf, offerWords, type Builder } from './view'

describe('points', () => {
  const log: GameEvent[] = [
    { type: 'refused', seat: 1, args: { count: 2, points: 2 } },
    { type: 'wonder_scored', seat: 0, args: { wonder: 'zeus', units: 2, points: 4 } },
    { type: 'wonder_scored', seat: 1, args: { wonder: 'zeus', units: 5, points: 8 } },
    { type: 'wonder_done', seat: null, args: { wonder: 'zeus', number: 1 } },
    { type: 'wonder_scored', seat: 0, args: { wonder: 'tower', units: 1, points: 6 } },
    { type: 'bonus', seat: 0, args: { reason: 'camel', count: 4, two_colour: 0, points: 20 } },
    { type: 'bonus', seat: 0, args: { reason: 'disc_bonus', count: 4, two_colour: 0, points: 4 } },
  ]
  it('are sorted by where they came from', () => {
    const [you, other] = totals(reasons(log), 2)
    expect(you).toEqual({ refused: 0, wonders: 4, light: 6, discs: 20, cards: 4 })
    expect(other).toEqual({ refused: 2, wonders: 8, light: 0, discs: 0, cards: 0 })
  })
  it('of one wonder name the best first', () => {
    expect(scored(log, 'zeus').map(({ seat }) => seat)).toEqual([1, 0])
  })
})

describe('an offer', () => {
  const say = Object.assign(
    (key: string, args: Args = {}): string => [key.replace('label.', ''), ...Object.values(args).flat()].join(' '),
    { phrase: () => '', has: () => true },
  )
  const told = (offer: Partial<NonNullable<Builder['offer']>>): string => {
    const hidden = { count: 3, cards: null, trade: null, returned: null }
    return offerWords(say, { seat: 1, offer: { ...hidden, ...offer } } as Builder)
  }
  it('names the cards that are in it, and no others', () => {
    expect(told({ cards: { camel: 2, crane: 0, ship: 1 }, trade: true })).toBe(
      'offer_of 1. count_of 2 camel, count_of 1 ship. with_trade',
    )
    expect(told({ cards: { camel: 0, ship: 0 }, trade: false })).toBe('offer_of 1. empty_offer')
  })
  it('that lies face down tells how many', () => {
    expect(told({})).toBe('offer_of 1. face_down 3')
  })
})

describe('pictures', () => {
  it('discs are counted by their types', () => {
    const discs = [['camel'], ['crane', 'ship'], ['camel']]
    expect(discsOf({ discs } as Builder)).toEqual([
      [['camel'], 2],
      [['crane', 'ship'], 1],
    ])
  })
  it('a wonder rises with every disc, and is whole with the third', () => {
    for (const wonder of ['artemis', 'pyramids', 'gardens', 'mausoleum', 'lighthouse', 'colossus', 'zeus', 'tower']) {
      const pieces = artOf(wonder)
      const heights = [0, 1, 2, 3].map((built) => standing(pieces, built))
      expect(heights[0]).toBe(0)
      expect(heights[3]).toBe(pieces.length)
      expect(new Set(heights).size).toBe(4)
    }
  })
})
