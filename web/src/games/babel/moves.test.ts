import { describe, expect, it } from 'vitest'
import { targets } from '../../lib/notation'
import { inWordsOf } from '../../lib/moves.testing'

inWordsOf('babel', [
  'choose zeus 2',
  'offer nothing',
  'offer nothing with trade',
  'offer ship ship mason with trade',
  'exchange camel crane',
  'accept none',
  'accept 1 3',
  'accept 2 joker for ship ship',
  'pass',
  'fail',
  'draw',
  'double',
  'triple',
  'decline',
])

describe('the places of a move', () => {
  it('are discs, cards and offers', () => {
    const view = { players: 3, chosen: { wonder: 'zeus', space: 1 } }
    expect(targets('babel', view, 0, true, 'choose zeus 2')).toEqual(['disc:zeus:1'])
    expect(targets('babel', view, 0, true, 'offer ship ship mason with trade')).toContain('hand:mason')
    expect(targets('babel', view, 0, false, 'offer ship')).toEqual(['seat:0'])
    expect(targets('babel', view, 0, true, 'accept 2 3')).toEqual(['offer:1:*', 'offer:2:*'])
    expect(targets('babel', view, 0, true, 'accept none')).toEqual(['disc:zeus:1'])
  })
})
