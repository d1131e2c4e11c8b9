import { expect, it } from 'vitest'
import type { GameEvent } from '../../lib/wire'
import { tally } from './score'
import { grouped, type Builder, type View } from './view'

it('cards are grouped by what they wait for; of Hal’s only those count that do at the end', () => {
  const faces = {
    'red exploit': { trigger: 'exploit' },
    'red 7': { trigger: 'exploit' },
    'blue 9': { trigger: 'construct' },
    'red 18': { trigger: null },
  }
  const view = { faces } as unknown as View
  const builder = { hal: false, characters: ['red exploit'], kept: ['red 7', 'red 18', 'blue 9'] } as unknown as Builder
  expect(grouped(view, builder)).toEqual({
    exploit: ['red exploit', 'red 7'],
    urbanize: [],
    construct: ['blue 9'],
    end: ['red 18'],
  })
  expect(grouped(view, { ...builder, hal: true })).toEqual({
    exploit: [],
    urbanize: [],
    construct: [],
    end: ['red 18'],
  })
})

it('the end: what is not explained was behind the screen', () => {
  const log: GameEvent[] = [
    { type: 'card_scored', seat: 0, args: { card: 'red 19', points: 8 } },
    { type: 'tokens_scored', seat: 0, args: { count: 1, points: 2 } },
    { type: 'district', seat: 1, args: { district: 0, points: 6 } },
    { type: 'district', seat: 0, args: { district: 0, points: 3 } },
  ]
  expect(
    tally(log, [
      { seat: 0, points: 20 },
      { seat: 1, points: 6 },
    ]),
  ).toEqual([
    { stock: 7, cards: 8, tokens: 2, districts: 3 },
    { stock: 0, cards: 0, tokens: 0, districts: 6 },
  ])
})
