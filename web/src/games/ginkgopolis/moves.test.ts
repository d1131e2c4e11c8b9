import { describe, expect, it } from 'vitest'
import { targets } from '../../lib/notation'
import { inWordsOf } from '../../lib/moves.testing'

inWordsOf('ginkgopolis', [
  'play blue 2 with blue 9',
  'play C with yellow 6',
  'play K',
  'play yellow 3',
  'pick red exploit',
  'take resource',
  'move west',
  'move to 0 -3',
  'shift before',
  'shift after',
  'return nothing',
  'return red 5 blue 7',
  'new hand',
])

describe('the places of a move', () => {
  const city = {
    players: 2,
    buildings: [
      { colour: 'red', number: 7, x: 0, y: 0 },
      { colour: 'blue', number: 2, x: 1, y: 0 },
    ],
    markers: [
      { letter: 'A', x: 0, y: 0 },
      { letter: 'L', x: 2, y: 0 },
    ],
    moving: 'A',
  }
  it('are buildings, and beside them those that are still empty', () => {
    expect(targets('ginkgopolis', city, 0, true, 'play red 7 with blue 9')).toEqual([
      'at:0,0',
      'hand:red 7',
      'tile:blue 9',
    ])
    expect(targets('ginkgopolis', city, 0, false, 'play L with blue 9')).toEqual(['marker:L'])
    expect(targets('ginkgopolis', city, 0, true, 'move north')).toEqual([['at:0,0', 0, -1]])
    expect(targets('ginkgopolis', city, 0, true, 'move to 3 1')).toEqual([['at:1,0', 2, -1]])
    expect(targets('ginkgopolis', city, 0, true, 'shift before')).toEqual(['marker:L'])
  })
})
