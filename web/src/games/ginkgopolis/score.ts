/** Where everybody's points come from, read from the events of the end. */
import type { GameEvent } from '../../lib/wire'
import { seatOf } from '../../table/events'

export const SOURCES = ['stock', 'cards', 'tokens', 'districts'] as const
export type Source = (typeof SOURCES)[number]

const FROM: Record<string, Source> = { card_scored: 'cards', tokens_scored: 'tokens', district: 'districts' }

/** Points by source; what the end does not explain was behind the screen before. */
export function tally(log: GameEvent[], owners: { seat: number; points: number | null }[]): Record<Source, number>[] {
  return owners.map(({ seat, points }) => {
    const sums = { stock: points ?? 0, cards: 0, tokens: 0, districts: 0 }
    for (const event of log) {
      const source = FROM[event.type]
      if (!source || seatOf(event) !== seat) continue
      sums[source] += Number(event.args.points)
      sums.stock -= Number(event.args.points)
    }
    return sums
  })
}
