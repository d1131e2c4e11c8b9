import { describe, expect, it } from 'vitest'
import { isGone, absentPlayers } from './absentPlayers'
import type { SeatInfo, TableInfo } from './wire'

const person = (seat: number, more: Partial<SeatInfo> = {}): SeatInfo => ({
  seat,
  kind: 'human',
  name: ['Ada', 'Béla', 'Cili'][seat] ?? '',
  bot: null,
  you: seat === 0,
  online: true,
  away: false,
  agreed: [],
  ...more,
})
const table = (seats: SeatInfo[], actors: number[], more: Partial<TableInfo> = {}): TableInfo =>
  ({ seats, actors, you: 0, status: 'playing', ...more }) as TableInfo

describe('who is gone', () => {
  it('is a person without connection, or who left, and for whom no bot plays', () => {
    expect(isGone(person(1, { online: false }))).toBe(true)
    expect(isGone(person(1, { away: true }))).toBe(true)
    expect(isGone(person(1))).toBe(false)
    expect(isGone(person(0, { online: false }))).toBe(false)
    expect(isGone(person(1, { online: false, bot: 'builder' }))).toBe(false)
    expect(isGone(person(1, { online: false, kind: 'bot', bot: 'greedy' }))).toBe(false)
  })
  it('matters when the table waits for them', () => {
    const seats = [person(0), person(1, { online: false }), person(2)]
    expect(absentPlayers(table(seats, [2]))).toEqual([])
    expect(absentPlayers(table(seats, [1]))).toEqual([{ seat: 1, agreed: [], asks: true, missing: [2] }])
  })
  it('does not disturb those who still decide, when all decide at once', () => {
    const seats = [person(0), person(1, { online: false }), person(2)]
    expect(absentPlayers(table(seats, [0, 1]))).toEqual([])
    expect(absentPlayers(table(seats, [1, 2]))).toEqual([])
    const asked = [person(0), person(1, { online: false, agreed: [2] }), person(2)]
    expect(absentPlayers(table(asked, [0, 1]))).toHaveLength(1)
    const bots = [person(0), person(1, { online: false }), person(2, { kind: 'bot', bot: 'greedy' })]
    expect(absentPlayers(table(bots, [1, 2]))).toHaveLength(1)
  })
  it('asks those who have not agreed, and tells the others whom it waits for', () => {
    const suggested = [person(0), person(1, { online: false, agreed: [2] }), person(2)]
    expect(absentPlayers(table(suggested, [1]))).toEqual([{ seat: 1, agreed: [2], asks: true, missing: [] }])
    const mine = [person(0), person(1, { away: true, agreed: [0] }), person(2)]
    expect(absentPlayers(table(mine, [1]))).toEqual([{ seat: 1, agreed: [0], asks: false, missing: [2] }])
  })
  it('does not wait for whoever is gone as well', () => {
    const seats = [person(0), person(1, { online: false, agreed: [0] }), person(2, { online: false })]
    expect(absentPlayers(table(seats, [1]))).toEqual([{ seat: 1, agreed: [0], asks: false, missing: [] }])
  })
  it('is nobody of a spectator, and of a game that is over', () => {
    const seats = [person(0, { you: false }), person(1, { online: false })]
    expect(absentPlayers(table(seats, [1], { you: null }))).toEqual([])
    expect(absentPlayers(table([person(0), person(1, { online: false })], [1], { status: 'finished' }))).toEqual([])
  })
})
