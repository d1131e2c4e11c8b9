import { describe, expect, it } from 'vitest'
import { costly, curves, marked, movesOf, summary, type Point } from './review'
import type { Frame, Judgement } from '../../lib/wire'

const frame = (seq: number, seat: number | null): Frame => ({ seq, seat, notation: `m${seq}`, events: [], view: {} })
const MOVE = { notation: '', words: { key: '', args: {} }, steps: [] }
const judgement = (seat: number, chance: number, cost: number): Judgement => ({
  seat,
  move: MOVE,
  chances: [chance, 1 - chance],
  games: 200,
  best: { move: MOVE, chances: [], games: 200, why: [] },
  cost,
  why: [],
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
  it('has a curve of what is known, of every seat', () => {
    const drawn = curves(frames, judged)
    expect(drawn.map((points) => points.map(({ at }) => at))).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
    for (const at of [0, 1, 2]) expect(drawn[0]![at]!.chance + drawn[1]![at]!.chance).toBeCloseTo(1)
    expect(curves(frames, new Map())).toEqual([])
  })
  it('draws a single judgement as it is, with what its games leave open', () => {
    const [ada, bela] = curves(frames, new Map([[4, judgement(1, 0.7, 0)]])).map((points) => points[0]!)
    expect(ada!.chance).toBe(0.7)
    // The interval of Wilson for 140 of 200.
    expect(ada!.low).toBeCloseTo(0.633, 2)
    expect(ada!.high).toBeCloseTo(0.759, 2)
    expect(bela!.low).toBeCloseTo(1 - ada!.high)
  })
  it('knows who has won at the end of a finished game', () => {
    const whole = new Map([...judged, [6, judgement(1, 0.98, 0)]])
    const ends = (winners?: number[]): (Point | undefined)[] => curves(frames, whole, winners).map((one) => one.at(-1))
    expect(ends([0])).toEqual([
      { at: 4, chance: 1, low: 1, high: 1 },
      { at: 4, chance: 0, low: 0, high: 0 },
    ])
    expect(ends([0, 1]).map((one) => one!.chance)).toEqual([0.5, 0.5])
    expect(ends()[0]!.low).toBeLessThan(1)
  })
  it('says a curve in four numbers', () => {
    const points = [0.5, 0.7, 0.4].map((chance, at) => ({ at, chance, low: 0, high: 1 }))
    expect(summary(points)).toEqual({ first: 50, last: 40, low: 40, high: 70 })
    expect(summary([])).toBeNull()
  })
  it('puts a few marks on a curve, always at its end', () => {
    const points: Point[] = Array.from({ length: 60 }, (_, at) => ({ at: at + 1, chance: 0.5, low: 0, high: 1 }))
    for (const seat of [0, 1, 2]) {
      const some = marked(points, 60, seat, 3)
      expect(some.length).toBeLessThan(7)
      expect(some.at(-1)).toBe(points.at(-1))
    }
    expect(marked(points, 60, 0, 2)[0]).not.toBe(marked(points, 60, 1, 2)[0])
    expect(marked([], 60, 0, 2)).toEqual([])
  })
})

/** Numbers that look random and are the same every time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
}

describe('the curves of games whose chances are known', () => {
  const MOVES = 60
  const GAMES = 200
  const REPEATS = 30

  /** Plays games on from every moment; judgements differ by `excess` besides. */
  function sampled(
    truth: (at: number) => number,
    excess: number,
    random: () => number,
  ): [Frame[], Map<number, Judgement>] {
    const all = Array.from({ length: MOVES }, (_, at) => frame(at, at % 2))
    const seen = all.map(({ seq }): [number, Judgement] => {
      const chance = truth(seq) + excess * (random() + random() + random() + random() - 2)
      const won = Array.from({ length: GAMES }, () => (random() < chance ? 1 : 0)).reduce<number>((a, b) => a + b, 0)
      return [seq, judgement(0, won / GAMES, 0)]
    })
    return [all, new Map(seen)]
  }

  const leap = (chances: number[]): number => Math.max(...chances.slice(1).map((c, i) => Math.abs(c - chances[i]!)))
  const half = (at: number): number => (at < MOVES / 2 ? 0.35 : 0.75)

  it.each([
    { name: 'nothing happens', truth: () => 0.5, excess: 0, leaps: 0.02, wrong: 0.1 },
    { name: 'nothing happens, and judges disagree', truth: () => 0.5, excess: 0.1, leaps: 0.02, wrong: 0.1 },
    { name: 'one side wins bit by bit', truth: (at: number) => 0.3 + at / 120, excess: 0, leaps: 0.06, wrong: 0.3 },
    {
      name: 'the same, and judges disagree',
      truth: (at: number) => 0.3 + at / 120,
      excess: 0.1,
      leaps: 0.09,
      wrong: 0.3,
    },
    { name: 'one move decides', truth: half, excess: 0, leaps: 1, wrong: 0.2 },
    {
      name: 'it goes up and down',
      truth: (at: number) => 0.5 + 0.3 * Math.sin(at / 5),
      excess: 0,
      leaps: 0.15,
      wrong: 0.8,
    },
  ])('are smooth and hold the truth in their bands: $name', ({ truth, excess, leaps, wrong }) => {
    const random = numbers(7)
    const [raw, drawn] = [
      [0, 0],
      [0, 0],
    ]
    let held = 0
    for (let again = 0; again < REPEATS; again++) {
      const [all, seen] = sampled(truth, excess, random)
      const points = curves(all, seen)[0]!
      const off = (chances: number[]): number => chances.reduce((sum, c, at) => sum + (c - truth(at)) ** 2, 0)
      const jumping = [...seen.values()].map(({ chances }) => chances[0]!)
      const calm = points.map(({ chance }) => chance)
      raw[0]! += leap(jumping) / REPEATS
      raw[1]! += off(jumping)
      drawn[0]! += leap(calm) / REPEATS
      drawn[1]! += off(calm)
      held += points.filter(({ at, low, high }) => low <= truth(at) && truth(at) <= high).length
      for (const { chance, low, high } of points) expect(low <= chance && chance <= high).toBe(true)
    }
    expect(held / (REPEATS * MOVES)).toBeGreaterThan(0.92)
    expect(drawn[0]).toBeLessThan(Math.min(leaps, raw[0]!))
    expect(drawn[1]! / raw[1]!).toBeLessThan(wrong)
  })

  it('keep a leap that is one, and what is certain in the end', () => {
    const [all, seen] = sampled((at) => (at < MOVES - 4 ? half(at) : 1), 0, numbers(11))
    const [ada] = curves(all, seen)
    expect(ada![MOVES / 2 - 3]!.chance).toBeLessThan(0.5)
    expect(ada![MOVES / 2 + 2]!.chance).toBeGreaterThan(0.6)
    expect(ada!.at(-1)!.chance).toBeGreaterThan(0.98)
    expect(ada!.at(-1)!.low).toBeGreaterThan(0.93)
  })
})
