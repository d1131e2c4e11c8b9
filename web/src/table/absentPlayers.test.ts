import { describe, expect, it } from 'vitest'
import { isGone, absentPlayers } from './absentPlayers'
import type { SeatInfo, TableInfo } from '../lib/wire'

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
    expect(absentPlayers(table(seats, [1]))).toMatchObject([{ seat: 1, agreed: [], asks: true, missing: [2] }])
  })
  it('is nobody by days: their clock decides', () => {
    const seats = [person(0), person(1, { online: false, gone: 90_000, agreed: [2] }), person(2)]
    const time = { control: { kind: 'days' } } as TableInfo['time']
    expect(absentPlayers(table(seats, [1], { time }))).toEqual([])
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
    const asks = [{ seat: 1, agreed: [2], asks: true, missing: [], alone: false }]
    expect(absentPlayers(table(suggested, [1]))).toEqual(asks)
    const mine = [person(0), person(1, { away: true, agreed: [0] }), person(2)]
    const waits = [{ seat: 1, agreed: [0], asks: false, missing: [2], alone: true }]
    expect(absentPlayers(table(mine, [1]))).toEqual(waits)
  })
  it('waits for whoever was here a moment ago, and for nobody who is gone as well', () => {
    const both = (gone: number): SeatInfo[] => [
      person(0),
      person(1, { online: false, agreed: [0], gone: 900 }),
      person(2, { online: false, gone }),
    ]
    expect(absentPlayers(table(both(299), [1]))).toMatchObject([{ missing: [2], alone: true }])
    // But of several nobody decides alone.
    expect(absentPlayers(table(both(301), [1]))).toMatchObject([{ missing: [], alone: true }])
    const near = [...both(301), person(3, { near: 'open' })]
    near[1]!.agreed = [0, 3]
    expect(absentPlayers(table(near, [1]))).toMatchObject([{ missing: [], alone: true }])
    expect(absentPlayers(table(both(301).slice(0, 2), [1]))).toMatchObject([{ missing: [], alone: false }])
  })
  it('is nobody of a spectator, and of a game that is over', () => {
    const seats = [person(0, { you: false }), person(1, { online: false })]
    expect(absentPlayers(table(seats, [1], { you: null }))).toEqual([])
    expect(absentPlayers(table([person(0), person(1, { online: false })], [1], { status: 'finished' }))).toEqual([])
  })
})
