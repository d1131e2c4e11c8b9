import { describe, expect, test } from 'vitest'
import { digits, duration, moment, read, said, units } from './clock'
import type { SeatTime, TimeControl } from '../lib/wire'

const LIVE: TimeControl = { kind: 'live', reserve: 300, step: 15 }
const clock = (more: Partial<SeatTime>): SeatTime => ({
  reserve: 300,
  free: 15,
  since: null,
  until: null,
  vacation: 0,
  off: null,
  out: false,
  ...more,
})
const running = clock({ since: 1000, until: 1315 })

describe('a clock', () => {
  test('stands with all that is left', () => {
    expect(read(clock({}), LIVE, 5000)).toMatchObject({ running: false, free: 15, reserve: 300, left: 315, low: false })
  })
  test("takes the decision's own time first, then the reserve", () => {
    expect(read(running, LIVE, 1006)).toMatchObject({ running: true, free: 9, reserve: 300, left: 309, part: 0.6 })
    expect(read(running, LIVE, 1115)).toMatchObject({ free: 0, reserve: 200, left: 200, part: 0, low: false })
  })
  test('is low in the last tenth and never shows less than nothing', () => {
    expect(read(running, LIVE, 1290)).toMatchObject({ reserve: 25, low: true })
    expect(read(running, LIVE, 2000)).toMatchObject({ free: 0, reserve: 0, left: 0 })
  })
  test('knows by its end alone what nights and holidays leave', () => {
    const days: TimeControl = { kind: 'days', reserve: 86_400, step: 43_200, nights: true }
    const slow = clock({ reserve: 86_400, free: 43_200, since: 0, until: 200_000 })
    expect(read(slow, days, 100_000).left).toBe(100_000)
  })
  test('says of a game of days what counts, whether it runs or stands', () => {
    const days: TimeControl = { kind: 'days', reserve: 259_200, step: 86_400, nights: true }
    // Four days that count, seven by the wall.
    const slow = clock({ reserve: 259_200, free: 86_400, since: 0, until: 604_800 })
    expect(read(slow, days, 0)).toMatchObject({ free: 86_400, reserve: 259_200, left: 604_800 })
    expect(read(slow, days, 302_400)).toMatchObject({ free: 0, reserve: 172_800 })
    expect(read(slow, days, 604_800)).toMatchObject({ free: 0, reserve: 0, left: 0 })
    // Nothing counts before a holiday is over.
    const off = { ...slow, off: 302_400 }
    expect(read(off, days, 200_000)).toMatchObject({ free: 86_400, reserve: 259_200 })
  })
})

test('digits', () => {
  expect([0, 9.2, 60, 61, 754, 3600, 7325].map(digits)).toEqual([
    '0:00',
    '0:10',
    '1:00',
    '1:01',
    '12:34',
    '1:00:00',
    '2:02:05',
  ])
})

test('two units at most', () => {
  expect(units(187_200)).toEqual([
    ['day', 2],
    ['hour', 4],
  ])
  expect(units(90)).toEqual([
    ['minute', 1],
    ['second', 30],
  ])
  expect(units(86_400)).toEqual([['day', 1]])
  expect(units(0)).toEqual([['second', 0]])
  expect(duration(187_200, 'en')).toBe('2 days 4 hours')
  expect(duration(187_200, 'hu')).toBe('2 nap 4 óra')
  expect(duration(187_200, 'en', 'narrow', 1)).toBe('2d')
  expect(duration(630, 'hu', 'short')).toBe('10 perc 30 mp')
  expect(duration(43_200, 'hu', 'narrow')).toBe('12 óra')
  expect(duration(187_200, 'de')).toBe('2 Tage 4 Stunden')
})

test('a moment is written as in the region', () => {
  const at = new Date(2026, 10, 27, 11, 37).getTime()
  const now = new Date(2026, 10, 25).getTime()
  expect(moment(at / 1000, 'hu', now)).toBe('nov. 27., péntek 11:37')
  expect(moment(at / 1000, 'en-GB', now)).toMatch(/^Friday,? 27 Nov(,| at) 11:37$/)
  expect(moment(at / 1000, 'hu', at)).toBe('11:37')
})

test('little is said aloud', () => {
  const heard = (from: number, to: number): boolean => said(from, to, 315)
  expect(heard(158, 157)).toBe(true)
  expect(heard(61, 60)).toBe(true)
  expect(heard(11, 10)).toBe(true)
  expect([300, 157, 100, 59, 30, 9].some((at) => heard(at, at - 1))).toBe(false)
  expect(said(61, 60, 45)).toBe(false)
})
