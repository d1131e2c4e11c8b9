import { expect, test } from 'vitest'
import { bars, better, shifted } from './dailyScores'

test('points are counted in steps of equal width, with those that nobody has', () => {
  expect(bars([])).toEqual([])
  expect(bars([[7, 3]])).toEqual([{ from: 7, to: 7, people: 3 }])
  expect(bars([[-1, 1], [1, 2]]).map(({ people }) => people)).toEqual([1, 0, 2]) // prettier-ignore
  const wide = bars([[12, 1], [19, 2], [88, 4]]) // prettier-ignore
  expect(wide[0]).toEqual({ from: 10, to: 14, people: 1 })
  expect(wide.at(-1)).toEqual({ from: 85, to: 89, people: 4 })
  expect(wide.reduce((sum, { people }) => sum + people, 0)).toBe(7)
})

test('whoever has as many points as others is in their middle', () => {
  expect(better([[5, 1]], 5)).toEqual({ percent: 0, others: 0 })
  expect(better([[3, 2], [5, 3], [9, 4]], 5)).toEqual({ percent: 38, others: 8 }) // prettier-ignore
})

test('a day before the first of a month is the last of the one before', () => {
  expect(shifted('2026-03-01', -1)).toBe('2026-02-28')
})
