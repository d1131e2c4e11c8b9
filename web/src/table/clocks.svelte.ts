/** The clocks of a table, loaded with the first one that has some. */
import { untrack } from 'svelte'
import Clock from './Clock.svelte'
import OwnClock from './OwnClock.svelte'
import { words } from '../lib/catalogue'
import { dated, digits, duration, moment, read, type Reading } from './clock'
import { t, texts } from '../lib/i18n.svelte'
import type { TableSession } from './tableSession.svelte'
import type { SeatTime, TimeInfo } from '../lib/wire'

const CALM = 15
/** Seconds below which also a clock of days is looked at every second. */
const SOON = 120

export class Clocks {
  readonly Clock = Clock
  readonly OwnClock = OwnClock
  /** The moment that is shown, by the server's clock. */
  now = $state(0)
  #timer: ReturnType<typeof setTimeout> | undefined
  #eyes = 0

  constructor(readonly session: TableSession) {
    this.now = session.source.now
  }

  get time(): TimeInfo | null {
    return this.session.source.table?.time ?? null
  }

  /** The clock of a seat on which a person plays. */
  of(seat: number): SeatTime | null {
    const info = this.session.seat(seat)
    const { status } = this.session.source.table ?? {}
    return status === 'playing' && info?.kind === 'human' && !info.bot ? (this.time?.seats[seat] ?? null) : null
  }

  read(seat: number): Reading | null {
    const clock = this.of(seat)
    if (!clock || !this.time) return null
    // What is left of a decision that was made is nobody's: the next one has a time of its own.
    const owed = this.session.source.table!.actors.includes(seat)
    return read(owed ? clock : { ...clock, free: 0 }, this.time.control, this.now)
  }

  get paused(): boolean {
    return this.time?.paused != null
  }

  get days(): boolean {
    return this.time?.control.kind === 'days'
  }

  /** Seconds as they are shown: of live games as digits, of days in the largest units; `short`: in one of them. */
  show(seconds: number, short = false): string {
    if (this.days) return duration(seconds, texts.language, 'narrow', short ? 1 : 2)
    return short && seconds > 600 ? `${Math.floor(seconds / 60)}′` : digits(seconds)
  }

  /** What a clock shows that does not count down to its end: the reserve, or where there is none a decision's time. */
  standing({ reserve, free, running, out }: Reading): number {
    return reserve || free || (running || out ? 0 : (this.time?.control.step ?? 0))
  }

  /** By days: until when a seat that has to decide has time, as short as can be. */
  until(seat: number): string {
    const { since = null, until = null } = this.of(seat) ?? {}
    return this.days && since !== null && until !== null
      ? t('list.until', { moment: dated(until * 1000, texts.locale, false) })
      : ''
  }

  /** On vacation at this moment. */
  off(seat: number): number | null {
    const off = this.of(seat)?.off ?? null
    return off !== null && off > this.now ? off : null
  }

  /** All of a seat's clock, in words. */
  words(seat: number): string {
    const { language, locale } = texts
    const found = this.read(seat)
    const clock = this.of(seat)
    if (!found || !clock) return ''
    if (found.out) return t('time.out')
    const off = this.off(seat)
    const parts = [
      found.running
        ? t(this.days ? 'time.until.days' : 'time.until', {
            time: duration(found.left, language),
            moment: moment(clock.until!, locale),
            reserve: duration(found.reserve, language),
          })
        : clock.reserve || !this.time!.control.step
          ? t('time.stands', { time: duration(clock.reserve, language) })
          : t('time.stands.step', { time: duration(this.time!.control.step, language) }),
    ]
    if (this.paused) parts.push(t('time.paused', { moment: moment(this.time!.paused!, locale) }))
    if (off !== null) parts.push(t('time.off', { moment: moment(off, locale) }))
    else if (this.time!.control.nights) parts.push(t('time.nights'))
    return parts.join(' ')
  }

  /** Keeps the time as long as a component shows it; returns what ends that. */
  watch(): () => void {
    this.#eyes += 1
    untrack(this.#tick)
    return () => {
      if (--this.#eyes === 0) clearTimeout(this.#timer)
    }
  }

  #tick = (): void => {
    clearTimeout(this.#timer)
    this.now = this.session.source.now
    const ends = (this.time?.seats ?? []).flatMap(({ since, until }) => (since !== null && until ? [until] : []))
    const left = ends.map((until) => until - this.now).filter((one) => one > 0)
    if (left.length === 0 || this.#eyes === 0) return
    const calm = this.days && Math.min(...left) > SOON
    // When the first of them shows another second.
    const next = calm ? CALM : Math.min(...left.map((one) => one % 1 || 1))
    this.#timer = setTimeout(this.#tick, 1000 * next + 10)
  }
}

export async function clocksOf(session: TableSession): Promise<Clocks> {
  await words()
  return new Clocks(session)
}
