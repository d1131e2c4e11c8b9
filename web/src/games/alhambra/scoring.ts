/** A scoring, put together again from the log. */
import type { GameEvent } from '../../lib/wire'
import type { Round } from './wire'

export interface Award {
  owner: number
  kind: string
  place: number
  tied: number
  count: number
  points: number
}

export interface Scoring {
  round: Round
  awards: Award[]
  /** What this scoring earned, by owner; nobody who earned nothing is in it. */
  totals: Record<number, number>
}

const owner = (event: GameEvent): number => Number(event.args.seat ?? event.seat ?? 0)

export function scoring(log: GameEvent[], round: Round): Scoring | null {
  if (!log.some((event) => event.type === 'round_scored' && event.args.round === round)) return null
  const awards = log
    .filter((event) => event.type === 'scored' && event.args.round === round)
    .map((event) => ({
      owner: owner(event),
      kind: String(event.args.building),
      place: Number(event.args.place),
      tied: Number(event.args.tied),
      count: Number(event.args.count),
      points: Number(event.args.points),
    }))
  const totals: Record<number, number> = {}
  for (const { owner, points } of awards) totals[owner] = (totals[owner] ?? 0) + points
  return { round, awards, totals }
}

/** The points of the places that the tied ones share, as the table of the round has them: [13, 6]. */
export function shared(award: Award, table: number[]): number[] {
  return Array.from({ length: award.tied }, (_, at) => table[award.place - 1 + at] ?? 0)
}
