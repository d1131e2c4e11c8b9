import { describe, expect, it } from 'vitest'
import type { GameEvent } from '../../lib/wire'
import { flights } from './flights'
import type { View } from './view'

const view = {
  buildings: [
    { x: 0, y: 1, colour: 'red', number: 9, height: 2, owner: 1, site: false },
    { x: 2, y: 0, colour: 'blue', number: 7, height: 1, owner: 0, site: true },
  ],
  markers: [{ letter: 'A', x: 3, y: 0 }],
  builders: [
    { seat: 0, hal: false },
    { seat: 1, hal: false },
    { seat: 2, hal: false },
  ],
} as unknown as View

const legs = (events: GameEvent[], home: number | null): string[][] =>
  flights(events, view, home).map((wave) => wave.map(({ from, to }) => `${from} > ${to}`))

describe('what travels', () => {
  it('an exploited building gives its goods', () => {
    const events: GameEvent[] = [
      { type: 'exploited', seat: 0, args: { card: 'red 9' } },
      { type: 'gained', seat: 0, args: { resources: 2, points: 1 } },
      { type: 'drew_tiles', seat: 0, args: { count: 1 } },
    ]
    expect(legs(events, 0)).toEqual([['at:0,1 > resources', 'at:0,1 > points'], ['supply > tiles']])
  })
  it('a new building comes from what was laid down, and its marker goes on', () => {
    const events: GameEvent[] = [
      { type: 'urbanized', seat: 1, args: { marker: 'A', tile: 'blue 7', x: 2, y: 0 } },
      { type: 'gained', seat: 1, args: { resources: 1, points: 0 } },
      { type: 'marker_moved', seat: 1, args: { marker: 'A', x: 3, y: 0 } },
    ]
    expect(legs(events, 0)).toEqual([['laid:1 > at:2,0'], ['at:2,0 > seat:1'], ['marker:A > marker:A']])
    expect(flights(events, view, 0)[0]![0]!.reveals).toBe('at:2,0')
  })
  it('hands go round, and only my own new card is seen', () => {
    const events: GameEvent[] = [
      { type: 'passed_hands', seat: 0, args: {} },
      { type: 'drew_cards', seat: 0, args: { cards: ['A'] } },
    ]
    expect(legs(events, 0)).toEqual([['hand > seat:1', 'seat:1 > seat:2', 'seat:2 > hand'], ['deck > hand:A']])
    expect(legs(events, 1)[1]).toBeUndefined()
  })
  it('what I turn over at once comes out of my hand', () => {
    const events: GameEvent[] = [
      { type: 'committed', seat: 0, args: { with_tile: true } },
      { type: 'constructed', seat: 0, args: { card: 'red 9', tile: 'blue 7', height: 3, cost: 2, changed: true } },
    ]
    expect(legs(events, 0)).toEqual([['hand > laid:0'], ['tile:blue 7 > at:2,0']])
  })
  it('chosen cards are laid face down at once', () => {
    const events: GameEvent[] = [1, 2].map((seat) => ({ type: 'committed', seat, args: { with_tile: true } }))
    expect(legs(events, 0)).toEqual([['seat:1 > laid:1', 'seat:2 > laid:2']])
  })
})
