import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** The root's size on every screen that is not large, in pixels; words lower than `LOWEST` nobody can read. */
const ROOT = 15
const LOWEST = 10

/** Tests run in `web/`. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.(svelte|css)$/.test(path))

/** The sizes of letters that a source states, in pixels. */
function sizesIn(source: string): number[] {
  const stated = source.matchAll(/\bfont(?:-size)?:[^;{}]*?(?<![\w.])(\d*\.?\d+)(rem|px)/g)
  return [...stated].map(([, count, unit]) => Number(count) * (unit === 'rem' ? ROOT : 1))
}

describe('letters', () => {
  test('are found however their size is written', () => {
    expect(sizesIn('a { font-size: 0.6rem } b { font: 700 9px/1 serif }')).toEqual([9, 9])
  })

  test('are nowhere too small to read', () => {
    expect(sources.length).toBeGreaterThan(200)
    const small = sources.filter((path) => sizesIn(readFileSync(`src/${path}`, 'utf8')).some((size) => size < LOWEST))
    expect(small).toEqual([])
  })
})
