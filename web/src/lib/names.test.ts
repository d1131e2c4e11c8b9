import { expect, it, vi } from 'vitest'
import type { SeatInfo } from './wire'

const person = (more: Partial<SeatInfo>): SeatInfo => ({
  seat: 0,
  kind: 'human',
  name: '',
  bot: null,
  you: false,
  online: false,
  away: false,
  gone: null,
  agreed: [],
  moves: null,
  by_bot: null,
  ...more,
})

vi.mock('./i18n.svelte', () => ({ t: (key: string) => key }))
const { nameOf } = await import('./names')

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
