import { describe, expect, it } from 'vitest'
import { targets } from '../../table/moves'
import type { Description } from '../../lib/wire'
import type { Step } from './view'

const common = { action: 0, notation: '' }
const told = { ...common, say: [], others: [] }
const move = (...steps: Step[]): Description => ({ notation: '', words: { key: '', args: {} }, steps })
const lay = (card: string): Step => ({ ...common, type: 'lay', card })
const accept = (...seats: number[]): Step => ({
  ...told,
  type: 'accept',
  offers: [],
  way: 0,
  seats,
  add: {},
  jokers: 0,
  joker_cards: {},
  units: [],
  disc: 0,
  refused: [],
  cost: 0,
})

describe('the places of a move', () => {
  const view = { chosen: { wonder: 'zeus', space: 1, needs: {} } }
  it('are discs, cards, offers and the ways to build', () => {
    const disc = move({ ...told, type: 'choose', wonder: 'tower', space: 2, needs: [] })
    expect(targets('babel', view, 0, true, disc)).toEqual(['disc:tower:2', 'deed:0'])
    const offer = move(lay('ship'), lay('ship'), lay('mason'), { ...common, type: 'commit_trade', count: 3 })
    expect(targets('babel', view, 0, true, offer)).toEqual(['hand:ship', 'hand:mason', 'hand:trade'])
    expect(targets('babel', view, 0, false, offer)).toEqual(['seat:0'])
    expect(targets('babel', view, 0, true, move(accept(1, 2)))).toEqual(['way:0', 'offer:1:*', 'offer:2:*', 'deed:0'])
    expect(targets('babel', view, 0, true, move(accept()))).toEqual(['way:0', 'disc:zeus:1', 'deed:0'])
    expect(targets('babel', view, 0, true, move({ ...told, type: 'fail', refused: [] }))).toEqual([
      'way:0',
      'disc:zeus:1',
      'deed:0',
    ])
  })
  it('are the button that passes, for others the deck; and the action cards', () => {
    expect(targets('babel', view, 2, true, move({ ...common, type: 'pass' }))).toEqual(['deed:0'])
    expect(targets('babel', view, 2, false, move({ ...common, type: 'pass' }))).toEqual(['deck'])
    expect(targets('babel', view, 2, false, move({ ...common, type: 'draw', plays: 'draw', count: 3 }))).toEqual([
      'actions:2',
    ])
  })
})

describe('a move that somebody has begun', () => {
  const step = (action: number): Step => ({ action, notation: '', type: 'lay', card: `c${action}` })
  const begun = { notation: '', words: { key: '', args: {} }, steps: [step(4), step(4), step(5), step(9)] }
  const left = (...done: number[]): unknown => targets('babel', { chosen: null }, 0, true, begun, done.map(step))
  it('is shown by what is still to be touched, and at last by its button', () => {
    expect(left()).toEqual(['hand:c4', 'hand:c5', 'hand:c9'])
    expect(left(4, 5)).toEqual(['hand:c4', 'hand:c9'])
    expect(left(4, 4, 5)).toEqual(['hand:c9', 'deed:9'])
    expect(left(4, 4, 5, 9)).toEqual(['deed:9'])
    expect(left(4, 7, 4, 5)).toEqual(['hand:c9', 'hand:c7'])
  })
})
