import { describe, expect, it } from 'vitest'
import type { GameEvent } from '../../lib/wire'
import { flights } from './flights'

const legs = (events: GameEvent[], home: number | null): string[][] =>
  flights(events, home).map((wave) => wave.map(({ from, to }) => `${from} > ${to}`))

describe('what travels', () => {
  it('an offer is laid face down, card by card', () => {
    const laid = { type: 'laid', seat: 2, args: { count: 2 } }
    expect(legs([laid], 0)).toEqual([['seat:2 > offer:2:0', 'seat:2 > offer:2:1']])
    expect(flights([laid], 0)[0]!.every(({ look }) => look.card === 'back')).toBe(true)
  })
  it('a build pays cards, places houses, and gives the disc away', () => {
    const events: GameEvent[] = [
      { type: 'accepted', seat: 0, args: { seats: [], jokers: 0, wonder: 'zeus', space: 2, cards: ['ship'] } },
      { type: 'placed', seat: 0, args: { wonder: 'zeus', units: 1 } },
      { type: 'built', seat: 0, args: { wonder: 'zeus', space: 2, needs: ['ship 1'] } },
      { type: 'refused', seat: 1, args: { count: 2, points: 2, triple: false } },
    ]
    expect(legs(events, 0)).toEqual([
      ['hand:ship > site:zeus'],
      ['seat:0 > site:zeus'],
      ['disc:zeus:1 > discs:0'],
      ['offer:1:0 > score:1'],
    ])
  })
  it('the common draw reaches everybody at once', () => {
    expect(legs([{ type: 'closing', seat: null, args: { counts: [1, 0, 2, 0, 0] } }], null)).toEqual([
      ['deck > seat:0', 'deck > seat:2', 'deck > seat:2'],
    ])
  })
})
