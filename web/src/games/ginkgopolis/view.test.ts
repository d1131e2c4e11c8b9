import { describe, expect, it } from 'vitest'
import type { GameEvent } from '../../lib/wire'
import { tally } from './score'
import {
  bonusOf,
  formulaOf,
  grouped,
  isLast,
  tileAction,
  yieldOf,
  type Builder,
  type Building,
  type Use,
  type View,
} from './view'

const triggers = ['exploit', 'urbanize', 'construct']
const building = (number: number, height: number, owner: number | null): Building => ({
  x: number,
  y: 0,
  colour: 'red',
  number,
  height,
  owner,
  site: false,
})
const view = {
  buildings: [building(1, 1, 0), building(2, 2, 0), building(3, 3, 0), building(4, 5, 0), building(5, 4, 1)],
  numbers: {
    triggers: [...triggers, ...triggers, ...triggers],
    own_good: [1, 1, 1, 1, 1, 1, 1, 1, 1],
    extra_points: [0, 0, 0, 0, 0, 0, 1, 1, 1],
    end: {
      colours_red: ['red', 'yellow', 'blue', 'red'],
      colours_yellow: ['yellow', 'red', 'blue', 'yellow'],
      colours_blue: ['blue', 'red', 'yellow', 'blue'],
      resource: 1,
      low: { height: 2, points: 1 },
      high: { height: 3, points: 3 },
      trigger: 2,
      colour: 2,
      fixed: 9,
    },
  },
} as unknown as View

const builder = {
  seat: 0,
  hal: false,
  resources: 3,
  supply: 0,
  characters: ['red exploit'],
  kept: ['red 7', 'red 18', 'red 19', 'blue 9'],
  bonus: {
    exploit: { resource: 1, tile: 0, point: 1 },
    urbanize: { resource: 0, tile: 0, point: 0 },
    construct: { resource: 0, tile: 1, point: 0 },
  },
} as unknown as Builder

describe('cards', () => {
  it('give their colour’s good, the high ones a point more', () => {
    expect(bonusOf(view, 'red 7')).toEqual({ trigger: 'exploit', gains: { resource: 1, point: 1 } })
    expect(bonusOf(view, 'yellow 9')).toEqual({ trigger: 'construct', gains: { point: 2 } })
    expect(bonusOf(view, 'blue 10')).toBeNull()
  })
  it('count at the end what their formula says', () => {
    const now = (card: string): number | undefined => formulaOf(view, card)?.now(builder)
    expect(now('red 10')).toBe(11)
    expect(now('blue 14')).toBe(2)
    expect(now('blue 15')).toBe(6)
    expect(now('red 18')).toBe(2)
    expect(now('red 19')).toBe(8)
    expect(now('red 20')).toBe(9)
    expect(now('red 9')).toBeUndefined()
  })
  it('are grouped by what they wait for', () => {
    const { exploit, urbanize, construct, end } = grouped(view, builder)
    expect([exploit, urbanize, construct]).toEqual([['red exploit', 'red 7'], [], ['blue 9']])
    expect(end.map(({ token }) => token)).toEqual(['red 18', 'red 19'])
  })
})

describe('what a card would do', () => {
  const use = (change: Partial<Use>): Use => ({
    tile: 'red 8',
    kind: 'construct',
    payable: true,
    gains: {},
    costs: { resource: 3 },
    back: 0,
    owner: null,
    ...change,
  })
  it('tells the yield from what one’s own cards add', () => {
    expect(yieldOf(use({ kind: 'exploit', gains: { resource: 3, point: 1 } }), builder)).toEqual({ resource: 2 })
  })
  it('warns of the last resource, unless another colour returns one to the supply', () => {
    expect(isLast('red 5', use({}), builder)).toBe(true)
    expect(isLast('blue 5', use({}), builder)).toBe(false)
    expect(isLast('red 5', use({ back: 1 }), builder)).toBe(false)
    expect(isLast('red 5', use({ kind: 'exploit', tile: null, costs: {} }), builder)).toBe(false)
  })
  it('names the tile by its action', () => {
    expect([tileAction('red 1'), tileAction('yellow 1'), tileAction('blue 20')]).toEqual([82, 102, 141])
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
