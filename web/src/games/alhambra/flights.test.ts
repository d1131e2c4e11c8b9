import { describe, expect, it } from 'vitest'
import type { Speak } from '../../lib/i18n.svelte'
import { flights } from './flights'
import type { GameEvent } from '../../lib/wire'
import type { View } from './wire'

const say = Object.assign((key: string) => key, { phrase: () => '', has: () => false }) as Speak
const view = { neutral: 2 } as View
const legs = (events: Parameters<typeof flights>[0], you: number | null): string[][] =>
  flights(events, view, say, you).map((wave) => wave.map(({ from, to }) => `${from} > ${to}`))

describe('what travels', () => {
  it('money goes into your own fan, or to the seat of somebody else', () => {
    const took = { type: 'took', seat: 1, args: { cards: ['blue 2', 'green 3'], positions: [0, 3] } }
    expect(legs([took], 1)).toEqual([['money:0 > hand:blue', 'money:3 > hand:green']])
    expect(legs([took], 0)).toEqual([['money:0 > seat:1', 'money:3 > seat:1']])
  })
  it('a purchase is paid to the discards, and the building goes to its owner', () => {
    const args = { slot: 2, building: 'tower 9', cards: ['blue 9'] }
    expect(legs([{ type: 'bought', seat: 0, args }], 0)).toEqual([['hand:blue > discard', 'slot:2 > built:0:tower']])
    expect(legs([{ type: 'gave', seat: 0, args }], 1)).toEqual([['seat:0 > discard', 'slot:2 > built:2:tower']])
  })
  it('what is turned up comes from the decks, together', () => {
    const events: GameEvent[] = [
      { type: 'building_revealed', seat: null, args: { slot: 2, building: 'garden 8' } },
      { type: 'money_revealed', seat: null, args: { position: 1, cards: ['orange 4'] } },
    ]
    expect(legs(events, 0)).toEqual([['deck:building > slot:2', 'deck:money > money:1']])
  })
})
