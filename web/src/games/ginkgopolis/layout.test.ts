import { describe, expect, it } from 'vitest'
import { ahead, boxOf, frontOf, outline, roofOf } from './layout'

const at = (x: number, y: number) => ({ x, y })
const parts = (path: string): number => path.split('M').length - 1
const corners = (path: string): number => path.split('Q').length - 1

describe('outline', () => {
  it('goes around one cell', () => {
    expect(outline([at(0, 0)], 0, 10)).toBe(
      'M90 0Q100 0 100 10L100 108Q100 118 90 118L10 118Q0 118 0 108L0 10Q0 0 10 0z',
    )
  })
  it('goes around a corner', () => {
    const path = outline([at(0, 0), at(1, 0), at(0, 1)], 5, 10)
    expect([parts(path), corners(path)]).toEqual([1, 6])
  })
  it('leaves out a hole', () => {
    const ring = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => at(x, y))).filter(({ x, y }) => x || y)
    const path = outline(ring, 5, 10)
    expect([parts(path), corners(path)]).toEqual([2, 8])
  })
  it('keeps cells apart that touch at a corner only', () => {
    expect(parts(outline([at(0, 0), at(1, 1)], 5, 10))).toBe(2)
    expect(parts(outline([at(0, 1), at(1, 0)], 5, 10))).toBe(2)
  })
})

describe('ahead', () => {
  const cells = [at(0, 0), at(1, 0), at(0, 3), at(2, 1), at(-1, -1)]
  it('finds the neighbour', () => {
    expect(ahead(at(0, 0), cells, 1, 0)).toEqual(at(1, 0))
    expect(ahead(at(0, 0), cells, 0, 1)).toEqual(at(0, 3))
  })
  it('finds what lies aside if nothing lies straight on', () => {
    expect(ahead(at(1, 0), cells, 1, 0)).toEqual(at(2, 1))
    expect(ahead(at(0, 0), cells, -1, 0)).toEqual(at(-1, -1))
  })
  it('ends at the edge', () => {
    expect(ahead(at(2, 1), cells, 1, 0)).toBeUndefined()
  })
})

describe('buildings', () => {
  it('rise with every storey, and never over the number of the one behind', () => {
    const heights = [1, 2, 3, 4, 5, 6, 7, 8, 12].map((height) => roofOf(height).back)
    expect([...heights].sort((one, other) => other - one)).toEqual(heights)
    expect(Math.min(...heights)).toBeGreaterThan(-25)
  })
  it('have a slab for every storey', () => {
    expect(parts(frontOf(5).slabs)).toBe(5)
  })
  it('lie in their cell', () => {
    expect(boxOf(at(-1, 2))).toEqual({ left: -100, top: -250, right: 0, bottom: -118 })
  })
})
