import { expect, it, vi } from 'vitest'
import type { SeatInfo, TableInfo } from './wire'

const person = (more: Partial<SeatInfo>): SeatInfo => ({
  seat: 0,
  kind: 'human',
  name: '',
  bot: null,
  you: false,
  online: false,
  away: false,
  agreed: [],
  ...more,
})

vi.mock('./i18n.svelte', () => ({
  t: (key: string, args: object = {}) => [key, ...Object.values(args)].join(' '),
}))
const { nameOf, whoWon } = await import('./names')

it('is somebody whose seat is left when they were deleted, and never nobody', () => {
  expect(nameOf(person({ name: 'Ada', away: true }), [])).toBe('Ada')
  expect(nameOf(person({ away: true }), [])).toBe('ui.seat.somebody')
  expect(nameOf(person({ away: true, bot: 'builder' }), [])).toBe('ui.seat.somebody')
  expect(nameOf(person({}), [])).toBe('ui.seat.guest')
})

it('is the name that whoever runs the server gave to a bot of theirs', () => {
  const one = person({ kind: 'bot', bot: 'host:Robo' })
  const two = person({ seat: 1, kind: 'bot', bot: 'host:Robo' })
  expect(nameOf(one, [one, person({ seat: 1, kind: 'bot', bot: 'builder' })])).toBe('Robo')
  expect(nameOf(two, [one, two])).toBe('Robo 2')
  expect(nameOf(person({ kind: 'bot', bot: 'builder' }), [])).toBe('ui.bot.name.0')
})

it('is told who won, the same in a list and at the end', () => {
  const seats = [person({}), person({ seat: 1 }), person({ seat: 2, by_bot: 3, moves: 4 })]
  const told = (you: number | null, winners: number[] | null): string =>
    whoWon({ you, winners, seats } as TableInfo, (seat) => `seat ${seat}`)
  expect(told(0, [0])).toBe('ui.end.you_won')
  expect(told(0, [0, 1])).toBe('ui.end.you_shared seat 1')
  expect(told(0, [1])).toBe('ui.end.won seat 1')
  expect(told(null, [0, 1])).toBe('ui.end.won seat 0,seat 1')
  expect(told(0, [2])).toBe('ui.end.won ui.end.with_bot seat 2 3 4')
  expect(told(2, [2])).toBe('ui.end.your_seat_won')
  expect(told(0, [])).toBe('ui.status.finished')
})
