import { beforeAll, expect, it } from 'vitest'
import { speak } from '../testing/words'
import { nameOf, whoWon } from './names'
import type { SeatInfo, TableInfo } from '../lib/wire'

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

beforeAll(() => speak('en'))

it('is somebody whose seat is left when they were deleted, and never nobody', () => {
  expect(nameOf(person({ name: 'Ada', away: true }), [])).toBe('Ada')
  expect(nameOf(person({ away: true }), [])).toBe('Somebody')
  expect(nameOf(person({ away: true, bot: 'builder' }), [])).toBe('Somebody')
  expect(nameOf(person({}), [])).toBe('Guest')
})

it('is the name that whoever runs the server gave to a bot of theirs', () => {
  const one = person({ kind: 'bot', bot: 'host:Robo' })
  const two = person({ seat: 1, kind: 'bot', bot: 'host:Robo' })
  expect(nameOf(one, [one, person({ seat: 1, kind: 'bot', bot: 'builder' })])).toBe('Robo')
  expect(nameOf(two, [one, two])).toBe('Robo 2')
  const ours = [person({ kind: 'bot', bot: 'builder' }), person({ seat: 1, kind: 'bot', bot: 'builder' })]
  expect(ours.map((bot) => nameOf(bot, ours))).toEqual(['Sinan', 'Wren'])
})

it('is told who won, the same in a list and at the end', () => {
  const seats = [person({}), person({ seat: 1 }), person({ seat: 2, by_bot: 3, moves: 4 })]
  const told = (you: number | null, winners: number[] | null): string =>
    whoWon({ you, winners, seats } as TableInfo, (seat) => `seat ${seat}`)
  expect(told(0, [0])).toBe('You won. Well played!')
  expect(told(0, [0, 1])).toBe('You share the win with seat 1.')
  expect(told(0, [1])).toBe('seat 1 won.')
  expect(told(null, [0, 1])).toBe('seat 0 and seat 1 won.')
  expect(told(0, [2])).toBe('seat 2 (a bot played 3 of 4 moves) won.')
  expect(told(2, [2])).toBe('Your seat won.')
  expect(told(0, [])).toBe('Finished')
})
