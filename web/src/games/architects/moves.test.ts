import { describe, expect, it } from 'vitest'
import { forEverybody, targets } from '../../lib/notation'
import { inWordsOf } from '../../lib/moves.testing'

inWordsOf('architects', [
  'draw left',
  'draw central',
  'extra architecture right',
  'build 1 with stone glass',
  'build 3 with stone coin2',
  'claim gear gear for architecture',
  'token stack',
  'take giza',
  'extra architecture giza',
  'look giza',
  'look right',
  'keep coin',
  'wonder rhodes',
  'accept',
  'decline',
  'end',
])

describe('the places of a move', () => {
  const architects = {
    players: 3,
    offer: ['science', 'crafts', null],
    decks: ['giza', 'rhodes', 'olympia'].map((wonder, seat) => ({ wonder, seat })),
  }
  it('are decks from where the player sits', () => {
    expect(targets('architects', architects, 1, false, 'draw left')).toEqual(['deck:rhodes'])
    expect(targets('architects', architects, 0, true, 'draw right')).toEqual(['deck:olympia'])
    expect(targets('architects', architects, 0, true, 'extra science central')).toEqual(['deck:central'])
    expect(targets('architects', architects, 0, true, 'build 2 with wood coin2')).toEqual([
      'stage:0:2',
      'cards:wood',
      'cards:coin',
    ])
    expect(targets('architects', architects, 1, false, 'claim gear gear for crafts')).toEqual(['offer:1'])
  })
  it('are called alike by everybody', () => {
    expect(forEverybody('architects', architects, 1, 'draw right')).toBe('take giza')
    expect(forEverybody('architects', architects, 1, 'extra science left')).toBe('extra science rhodes')
    expect(forEverybody('architects', architects, 1, 'build 1 with stone glass')).toBe('build 1 with stone glass')
  })
  it('are those of the player, when there is nothing else to point at', () => {
    expect(targets('architects', architects, 2, false, 'end')).toEqual(['seat:2'])
  })
})
