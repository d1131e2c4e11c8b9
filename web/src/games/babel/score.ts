/** The running score and its reasons, from the log alone. */
import type { GameEvent } from '../../lib/wire'
import { seatOf } from '../../table/events'

export const SOURCES = ['refused', 'wonders', 'light', 'discs', 'cards'] as const
export type Source = (typeof SOURCES)[number]

interface Reason {
  seat: number
  source: Source
  points: number
  event: GameEvent
}

/** A wonder that was complete brings its points before it is said to be; one that never was is unfinished. */
export function reasons(log: GameEvent[]): Reason[] {
  const found: Reason[] = []
  const add = (source: Source, event: GameEvent): void => {
    found.push({ seat: seatOf(event), source, points: Number(event.args.points), event })
  }
  for (const event of log) {
    if (event.type === 'refused') add('refused', event)
    else if (event.type === 'wonder_scored') add('light', event)
    else if (event.type === 'bonus') add(/bonus/.test(String(event.args.reason)) ? 'cards' : 'discs', event)
    else if (event.type === 'wonder_done')
      for (const one of found)
        if (one.source === 'light' && one.event.args.wonder === event.args.wonder) one.source = 'wonders'
  }
  return found
}

export const totals = (all: Reason[], players: number): Record<Source, number>[] =>
  Array.from({ length: players }, (_, seat) => {
    const own = all.filter((one) => one.seat === seat)
    return Object.fromEntries(
      SOURCES.map((source) => [
        source,
        own.reduce((total, one) => total + (one.source === source ? one.points : 0), 0),
      ]),
    ) as Record<Source, number>
  })

/** Who scored what on one wonder, the best first. */
export const scored = (log: GameEvent[], wonder: unknown): GameEvent[] =>
  log
    .filter((event) => event.type === 'wonder_scored' && event.args.wonder === wonder)
    .sort((one, other) => Number(other.args.units) - Number(one.args.units))
