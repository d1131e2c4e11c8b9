import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settings } from '../../lib/settings.svelte'
import { Look } from './look.svelte'

const CITY = { left: 0, top: 0, right: 1000, bottom: 1000 }
let resized: (width: number, height: number) => void

beforeEach(() => {
  settings.speed = 0
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: (entries: { contentRect: { width: number; height: number } }[]) => void) {
        resized = (width, height) => tell([{ contentRect: { width, height } }])
      }
      observe(): void {}
      disconnect(): void {}
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

/** A city of which all is in sight. */
function looked(): { look: Look; seen: () => string } {
  const plane = document.createElement('div')
  const look = new Look(
    () => CITY,
    () => [],
  )
  look.attach(document.createElement('div'), plane)
  resized(800, 600)
  return { look, seen: () => plane.style.transform }
}

test('all is fitted into the window, and anew into a window that is turned or made larger', () => {
  const { seen } = looked()
  const first = seen()
  resized(600, 600)
  const narrow = seen()
  expect(narrow).not.toBe(first)
  resized(800, 600)
  expect(seen()).toBe(first)
  resized(800, 700)
  expect(seen(), 'a higher part of it has room for more').not.toBe(first)
})

test('what grows a little over its edge does not move the city, what covers much does', () => {
  const { seen } = looked()
  const first = seen()
  resized(800, 500)
  expect(seen()).toBe(first)
  resized(800, 400)
  expect(seen()).not.toBe(first)
})

test('what was moved by hand stays as it was moved', () => {
  const { look, seen } = looked()
  look.zoom(1.5)
  const zoomed = seen()
  resized(800, 620)
  expect(seen().split(' ').at(-1)).toBe(zoomed.split(' ').at(-1))
  look.all()
  expect(seen()).not.toBe(zoomed)
})
