import { describe, expect, it } from 'vitest'
import type { GameInfo, Standing } from '../../lib/wire'
import { lines, randomPart, short, sizesOf, starts } from './seasons'

const row = (line: (number | null)[], free: number): Standing => ({
  who: 1,
  division: 1,
  place: 1,
  points: 0,
  line,
  tables: line.filter((one) => one !== null).length,
  missed: line.filter((one) => one === null).length,
  free,
  ties: [],
})

describe('the course of a season', () => {
  it('ends at the points: absences that cost nothing count as the average', () => {
    expect(lines({ standings: [row([120, null, 60, null], 1)] }).get(1)).toEqual([120, 210, 270, 270])
    expect(lines({ standings: [row([null, null], 2)] }).get(1)).toEqual([0, 0])
  })

  it('has names that fit', () => {
    expect(short('Friderika Hosszúnevű', 10)).toBe('Friderika…')
    expect(short('Ann', 10)).toBe('Ann')
  })
})

describe('a new season', () => {
  it('begins its rounds at the same time of the day', () => {
    const [first, second, third] = starts(new Date(2026, 9, 19, 19, 30), 3, 7).map((one) => new Date(one * 1000))
    expect([first, second, third].map((one) => `${one!.getDate()} ${one!.getHours()}:${one!.getMinutes()}`)).toEqual([
      '19 19:30',
      '26 19:30',
      '2 19:30',
    ])
  })

  it('asks for numbers of seats that a game has', () => {
    const info = { min_players: 3, max_players: 5 } as GameInfo
    expect(sizesOf(info, 4)).toEqual([4, 3, 5])
    expect(sizesOf(info, 2)).toEqual([3])
    expect(sizesOf({ ...info, min_players: 1 }, 2)).toEqual([2, 3])
  })

  it('is entered with a part that nobody has chosen', () => {
    const parts = Array.from({ length: 20 }, randomPart)
    expect(new Set(parts).size).toBe(20)
    for (const part of parts) expect(part).toMatch(/^[0-9a-f]{64}$/)
  })
})
