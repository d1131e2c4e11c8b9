import { expect, test } from 'vitest'
import OwnClock from './OwnClock.svelte'
import { words } from '../testing/page'
import { show } from '../testing/part'
import { speak } from '../testing/words'
import { words as later } from '../lib/catalogue'
import { Clocks } from './clocks.svelte'
import type { Language } from '../lib/settings.svelte'
import type { TableSession } from './tableSession.svelte'
import type { SeatTime, TimeControl } from '../lib/wire'

const DAY = 86_400
const NOW = new Date(2026, 10, 29, 17, 5).getTime() / 1000
const DAYS = { kind: 'days', reserve: 3 * DAY, step: DAY } as TimeControl
const LIVE = { kind: 'live', reserve: 600, step: 30 } as TimeControl
const clock = (more: Partial<SeatTime>): SeatTime => ({
  reserve: 3 * DAY,
  free: 0,
  since: null,
  until: null,
  vacation: 0,
  off: null,
  out: false,
  ...more,
})

interface Given {
  own: SeatTime
  actors: number[]
  control?: TimeControl
  paused?: number | null
  language?: Language
}

/** What stands on the face of one's own clock, and what a screen reader says of it. */
async function face({ own, actors, control = DAYS, paused = null, language = 'en' }: Given): Promise<[string, string]> {
  await speak(language)
  await later()
  const seat = { seat: 0, kind: 'human', bot: null }
  const table = { status: 'playing', actors, time: { control, seats: [own, clock({})], paused } }
  const session = { you: 0, source: { table, now: NOW }, seat: () => seat } as unknown as TableSession
  Object.assign(session, { clocks: new Clocks(session) })
  const place = show(OwnClock, { session })
  return [words(place.querySelector('[aria-hidden]')!), words(place.querySelector('.unseen')!)]
}

const running = clock({ free: DAY, since: NOW - 60, until: NOW + 4 * DAY - 60 })

test('by days it stands on the face of one’s own clock until when there is time, in the reader’s words', async () => {
  const [english] = await face({ own: running, actors: [0] })
  expect(english).toMatch(/^23h \+ 3d until Dec 3, 0?5:04 PM$/)
  const [hungarian] = await face({ own: running, actors: [0], language: 'hu' })
  expect(hungarian).toBe('23 óra + 3 nap dec. 3. 17:04‑ig')
})

test('a clock that stands says what there is for the next decision, not what was left of the last one', async () => {
  for (const control of [DAYS, LIVE]) {
    const reserve = control.reserve
    const before = await face({ own: clock({ reserve }), actors: [1], control })
    const after = await face({ own: clock({ reserve, free: control.step - 7 }), actors: [1], control })
    expect(after).toEqual(before)
    expect(before[0]).toBe(control === DAYS ? '3d' : '10:00')
  }
  // Where there is no reserve it is the time that each decision has, by its face and by its words.
  const none = { ...DAYS, reserve: 0 }
  const [shown, said] = await face({ own: clock({ reserve: 0, free: 50 }), actors: [1], control: none })
  expect([shown, said]).toEqual(['1d', 'Your time: 1 day for each decision.'])
})

test('what is left of a decision that is still to be made stays, while the game is paused', async () => {
  const own = clock({ free: DAY / 2 })
  expect((await face({ own, actors: [0], paused: NOW + DAY }))[0]).toBe('12h + 3d')
})
