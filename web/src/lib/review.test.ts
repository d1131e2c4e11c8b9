import { describe, expect, it } from 'vitest'
import { chancesAt, costly, curve, marked, movesOf, summary } from './review'
import type { Frame, Judgement } from './wire'

const frame = (seq: number, seat: number | null): Frame => ({ seq, seat, notation: `m${seq}`, events: [], view: {} })
const MOVE = { notation: '', words: { key: '', args: {} }, steps: [] }
const judgement = (seat: number, chance: number, cost: number): Judgement => ({
  seat,
  move: MOVE,
  chances: [chance, 1 - chance],
  best: { move: MOVE, chances: [] },
  cost,
})
const frames = [frame(2, null), frame(3, 0), frame(4, 1), frame(5, 0), frame(6, 1)]
const judged = new Map([
  [3, judgement(0, 0.5, 0.02)],
  [4, judgement(1, 0.7, 0.2)],
  [5, judgement(0, 0.4, 0.3)],
])

describe('review', () => {
  it('judges moves, not the deal', () => {
    expect(movesOf(frames).map(({ seq }) => seq)).toEqual([3, 4, 5, 6])
  })
  it('names the dearest first, and not what may be chance', () => {
    expect(costly(frames, judged).map(({ at }) => at)).toEqual([3, 2])
  })
  it('has a curve of what is known', () => {
    expect(curve(frames, judged, 0).map(({ at, chance }) => [at, chance])).toEqual([
      [1, 0.5],
      [2, 0.7],
      [3, 0.4],
    ])
    expect(chancesAt(frames, judged, 2)?.[0]).toBe(0.7)
    expect(chancesAt(frames, judged, 0)).toBeNull()
    expect(chancesAt(frames, judged, 99)).toBeNull()
  })
  it('says a curve in four numbers', () => {
    expect(summary(curve(frames, judged, 0))).toEqual({ first: 50, last: 40, low: 40, high: 70 })
    expect(summary([])).toBeNull()
  })
  it('puts a few marks on a curve, always at its end', () => {
    const points = Array.from({ length: 60 }, (_, at) => ({ at: at + 1, chance: 0.5 }))
    for (const seat of [0, 1, 2]) {
      const some = marked(points, 60, seat, 3)
      expect(some.length).toBeLessThan(7)
      expect(some.at(-1)).toBe(points.at(-1))
    }
    expect(marked(points, 60, 0, 2)[0]).not.toBe(marked(points, 60, 1, 2)[0])
    expect(marked([], 60, 0, 2)).toEqual([])
  })
})
