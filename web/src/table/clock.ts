/** What a seat's clock shows at a moment. What counts and what happens is for the server to say; here is only reading. */
import { WHOLE_UNITS } from 'virtual:languages'
import type { SeatTime, TimeControl } from '../lib/wire'

export interface Reading {
  running: boolean
  /** Seconds of the decision's own time and of the reserve, as they count; and until the time has run out, by the wall. */
  free: number
  reserve: number
  left: number
  /** How much of the decision's own time is left, from 1 to 0. */
  part: number
  /** Less than a tenth is left of what there can be. */
  low: boolean
  out: boolean
}

export function read(clock: SeatTime, control: TimeControl, now: number): Reading {
  const running = clock.since !== null && clock.until !== null
  const all = clock.free + clock.reserve
  const left = running ? Math.max(0, clock.until! - now) : all
  // Nights and holidays do not count, and only `until` knows of them: they are spread over the whole time.
  const begin = running ? Math.max(clock.since!, clock.off ?? 0) : 0
  const counted = running ? all * Math.min(1, left / Math.max(1e-9, clock.until! - begin)) : all
  const reserve = Math.min(clock.reserve, counted)
  const free = counted - reserve
  return {
    running,
    free,
    reserve,
    left,
    part: clock.free > 0 ? free / Math.max(clock.free, control.step) : 0,
    low: running && left < (control.reserve + control.step) / 10,
    out: clock.out,
  }
}

/** Seconds as a clock shows them; nothing is over before it is. */
export function digits(seconds: number): string {
  const whole = Math.ceil(Math.max(0, seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds in at most two units, the larger first: `[['day', 2], ['hour', 4]]`. */
export function units(seconds: number): [unit: (typeof UNITS)[number][0], count: number][] {
  const whole = Math.max(0, Math.round(seconds))
  const at = UNITS.findIndex(([, size]) => whole >= size)
  if (at < 0) return [['second', 0]]
  const [unit, size] = UNITS[at]!
  const next = UNITS[at + 1]
  const rest = next ? Math.floor((whole % size) / next[1]) : 0
  const first: [(typeof UNITS)[number][0], number] = [unit, Math.floor(whole / size)]
  return next && rest ? [first, [next[0], rest]] : [first]
}

/** Seconds in words: `2 days 4 hours`. */
export function duration(
  seconds: number,
  language: string,
  how: 'long' | 'short' | 'narrow' = 'long',
  most = 2,
): string {
  return units(seconds)
    .slice(0, most)
    .map(([unit, count]) => {
      // Whole words where they are short: 10 perc, not 10 p.
      const unitDisplay = WHOLE_UNITS.includes(language.slice(0, 2)) && unit !== 'second' ? 'long' : how
      return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count)
    })
    .join(' ')
}

/** When something is, as short as can be: the time today, else with its day. */
export function moment(seconds: number, language: string, now = Date.now()): string {
  const at = new Date(seconds * 1000)
  const today = at.toDateString() === new Date(now).toDateString()
  const day: Intl.DateTimeFormatOptions = today ? {} : { weekday: 'long', day: 'numeric', month: 'short' }
  return at.toLocaleString(language, { ...day, hour: '2-digit', minute: '2-digit' })
}

/** When something is, with its day: `Monday 30 Nov, 15:33`; without the day of the week where it was, or room is short. */
export function dated(at: string | number, locale: string, weekday = true): string {
  const day: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }
  return new Date(at).toLocaleString(locale, weekday ? { weekday: 'long', ...day } : day)
}

/** What is said aloud of one's own clock, and no more often: at half of what there can be, a minute, ten seconds. */
export function said(before: number, after: number, whole: number): boolean {
  return [whole / 2, 60, 10].some((one) => one < whole && before > one && after <= one)
}
