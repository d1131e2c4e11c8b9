import { describe, expect, it } from 'vitest'
import { targets, type Target } from '../../table/moves'
import type { Step } from './view'

const common = { action: 0, notation: '' }
const places = (own: boolean, ...steps: Step[]): Target[] =>
  targets('ginkgopolis', city, 0, own, { notation: '', words: { key: '', args: {} }, steps })
const city = {
  buildings: [
    { colour: 'red', number: 7, x: 0, y: 0 },
    { colour: 'blue', number: 2, x: 1, y: 0 },
  ],
}

describe('the places of a move', () => {
  it('are buildings, and cards and tiles for whoever holds them', () => {
    const card: Step = { ...common, type: 'card', card: 'red 7', x: 0, y: 0, uses: [] }
    const tile: Step = { ...common, type: 'tile', tile: 'blue 9' }
    expect(places(true, card, tile)).toEqual(['at:0,0', 'hand:red 7', 'tile:blue 9'])
    expect(places(false, { ...card, card: 'L', x: 2 }, tile)).toEqual(['marker:L'])
  })
  it('are beside a building those cells that are still empty', () => {
    const goal = { ...common, marker: 'A' }
    expect(places(true, { ...goal, type: 'move', direction: 'north', x: 0, y: 1 })).toEqual([
      ['at:0,0', 0, -1],
      'deed:0',
    ])
    expect(places(true, { ...goal, type: 'move_to', place: 0, x: 3, y: 1 })).toEqual([['at:1,0', 2, -1], 'deed:0'])
    expect(places(true, { ...goal, type: 'shift', side: 'before', marker: 'L', x: 2, y: 0 })).toEqual([
      'marker:L',
      'deed:0',
    ])
  })
})
