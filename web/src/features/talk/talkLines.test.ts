import { expect, test } from 'vitest'
import { caughtUp, merged } from './talkLines'
import type { SaidLine } from '../../lib/wire'

const said = (...at: number[]): SaidLine[] => at.map((at) => ({ at, who: 'x', name: 'Ann', text: String(at) }))
const at = (lines: SaidLine[]): number[] => lines.map((line) => line.at)

test('each line is there once, in the order in which they were said', () => {
  expect(at(merged(said(1, 5), said(3, 5, 2)))).toEqual([1, 2, 3, 5])
})

test('what came meanwhile goes on from what is known', () => {
  const found = caughtUp({ lines: said(1, 2, 3), more: true }, { lines: said(2, 3, 4, 5), more: true })
  expect(at(found.lines)).toEqual([1, 2, 3, 4, 5])
  expect(found.more).toBe(true)
})

test('after a long absence nothing is shown as if it followed on what is known', () => {
  const found = caughtUp({ lines: said(1, 2, 3), more: false }, { lines: said(8, 9), more: true })
  expect(at(found.lines)).toEqual([8, 9])
  expect(found.more).toBe(true)
})

test('a page that goes back to the beginning leaves no gap', () => {
  const found = caughtUp({ lines: said(2), more: false }, { lines: said(3, 4), more: false })
  expect(at(found.lines)).toEqual([2, 3, 4])
})

test('of nothing the page is all that is known', () => {
  expect(caughtUp({ lines: [], more: false }, { lines: said(3), more: true })).toEqual({ lines: said(3), more: true })
})
