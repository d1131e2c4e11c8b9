import { describe, expect, it } from 'vitest'
import type { GameEvent } from '../../lib/wire'
import { scoring, shared } from './scoring'

const scored = (seat: number, place: number, tied: number, points: number): GameEvent => ({
  type: 'scored',
  seat,
  args: { round: 'B', building: 'tower', place, tied, count: 3, points },
})

const log: GameEvent[] = [
  scored(0, 1, 1, 13),
  scored(1, 2, 2, 3),
  scored(2, 2, 2, 3),
  { type: 'round_scored', seat: null, args: { round: 'B' } },
]

describe('a scoring, from the log', () => {
  it('is nothing before it has happened', () => {
    expect(scoring(log, 'A')).toBeNull()
  })
  it('adds up what it earned everybody', () => {
    expect(scoring(log, 'B')?.totals).toEqual({ 0: 13, 1: 3, 2: 3 })
  })
  it('tells which places were shared; a place that earns nothing counts as 0', () => {
    const award = scoring(log, 'B')!.awards[1]!
    expect(shared(award, [13, 6])).toEqual([6, 0])
  })
})
