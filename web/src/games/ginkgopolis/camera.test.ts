import { describe, expect, it } from 'vitest'
import { around, clamp, fit, frame, pinch, transform, zoomAt, type Camera, type Point } from './camera'

const size = { width: 360, height: 400 }
const limits = { least: 0.3, most: 2 }
const box = { left: -250, top: -280, right: 250, bottom: 280 }

const seen = ({ x, y, z }: Camera, at: Point): Point => ({ x: at.x * z + x, y: at.y * z + y })
const world = ({ x, y, z }: Camera, at: Point): Point => ({ x: (at.x - x) / z, y: (at.y - y) / z })

describe('fit', () => {
  it('shows the whole box in the middle', () => {
    const camera = fit(box, size, limits, 10)
    const first = seen(camera, { x: box.left, y: box.top })
    const last = seen(camera, { x: box.right, y: box.bottom })
    expect(first.y).toBeCloseTo(10)
    expect(last.y).toBeCloseTo(390)
    expect(first.x).toBeGreaterThanOrEqual(10)
    expect(first.x + last.x).toBeCloseTo(360)
  })
  it('keeps to the limits, and then to the middle', () => {
    expect(fit(box, { width: 9000, height: 9000 }, limits).z).toBe(2)
    const near = fit(box, size, { least: 1, most: 2 })
    expect(near.z).toBe(1)
    expect(seen(near, { x: 0, y: 0 })).toEqual({ x: 180, y: 200 })
  })
  it('bears a page that has no size yet', () => {
    expect(fit(box, { width: 0, height: 0 }, limits, 20).z).toBe(0.3)
  })
})

describe('zoom', () => {
  it('leaves what is under the pointer where it is', () => {
    const camera = { x: 31, y: -12, z: 0.8 }
    const at = { x: 70, y: 300 }
    for (const factor of [1.25, 0.7, 100, 0.001]) {
      const next = zoomAt(camera, at, factor, limits)
      expect(world(next, at).x).toBeCloseTo(world(camera, at).x)
      expect(world(next, at).y).toBeCloseTo(world(camera, at).y)
      expect(next.z).toBeGreaterThanOrEqual(0.3)
      expect(next.z).toBeLessThanOrEqual(2)
    }
  })
  it('keeps two fingers on what they hold', () => {
    const camera = { x: 10, y: 20, z: 1 }
    const from: [Point, Point] = [
      { x: 100, y: 100 },
      { x: 200, y: 100 },
    ]
    const to: [Point, Point] = [
      { x: 90, y: 150 },
      { x: 240, y: 150 },
    ]
    const next = pinch(camera, from, to, limits)
    expect(next.z).toBeCloseTo(1.5)
    for (const finger of [0, 1] as const) {
      expect(seen(next, world(camera, from[finger])).x).toBeCloseTo(to[finger].x)
      expect(seen(next, world(camera, from[finger])).y).toBeCloseTo(to[finger].y)
    }
  })
  it('bears two fingers on one spot', () => {
    const spot: [Point, Point] = [
      { x: 5, y: 5 },
      { x: 5, y: 5 },
    ]
    expect(pinch({ x: 0, y: 0, z: 1 }, spot, spot, limits)).toEqual({ x: 0, y: 0, z: 1 })
  })
})

describe('clamp', () => {
  it('lets nobody lose the city', () => {
    for (const lost of [
      { x: 9000, y: -9000, z: 0.5 },
      { x: -9000, y: 9000, z: 2 },
    ]) {
      const middle = world(clamp(lost, box, size), { x: 180, y: 200 })
      expect(Math.abs(middle.x)).toBeCloseTo(250)
      expect(Math.abs(middle.y)).toBeCloseTo(280)
    }
  })
  it('leaves alone what is in sight', () => {
    const camera = { x: 100, y: 150, z: 1 }
    expect(clamp(camera, box, size)).toEqual(camera)
  })
})

describe('frame', () => {
  const camera = { x: 0, y: 0, z: 1 }
  const cell = (left: number, top: number) => ({ left, top, right: left + 100, bottom: top + 100 })
  it('does nothing for what is in sight', () => {
    expect(frame(camera, cell(20, 20), size, limits, 10)).toBeNull()
  })
  it('moves no farther than it must', () => {
    expect(frame(camera, cell(300, 20), size, limits, 10)).toEqual({ x: -50, y: 0, z: 1 })
    expect(frame(camera, cell(20, -500), size, limits, 10)).toEqual({ x: 0, y: 510, z: 1 })
  })
  it('steps back from what is too large, and centres what is too large even so', () => {
    const next = frame(camera, box, size, limits, 10)!
    expect(next.z).toBeCloseTo(380 / 560)
    expect(seen(next, { x: 0, y: -280 }).y).toBeCloseTo(10)
    const close = frame(camera, box, size, { least: 1, most: 2 }, 10)!
    expect(close.z).toBe(1)
    expect(seen(close, { x: 0, y: 0 })).toEqual({ x: 180, y: 200 })
  })
})

it('knows the box around boxes, and how a style says where one looks from', () => {
  expect(around([box, { left: 0, top: -900, right: 400, bottom: 0 }])).toEqual({
    left: -250,
    top: -900,
    right: 400,
    bottom: 280,
  })
  expect(transform({ x: 1.234, y: -5, z: 0.75 })).toBe('translate(1.23px,-5.00px) scale(0.75)')
})
