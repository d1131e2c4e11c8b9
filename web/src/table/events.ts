/** What boards read from the log. */
import type { GameEvent } from '../lib/wire'
import type { TableSession } from './tableSession.svelte'

/** Whom an event is about; -1: nobody. */
export const seatOf = ({ args, seat }: GameEvent): number => Number(args.seat ?? seat ?? -1)

/** What an event names: many, one, or nothing. */
export const list = (value: unknown): string[] => [value ?? []].flat().map(String)

/** The last event of a type, if it came after the last move of a seat: its points are explained where they fall. */
export function fresh(session: TableSession, type: string, moves: string[], seat = session.you): GameEvent | null {
  const { log, finished, replaying } = session
  if (finished || replaying) return null
  const last = log.findLastIndex((event) => event.type === type)
  const own = log.findLastIndex((event) => moves.includes(event.type) && seatOf(event) === seat)
  return last > own ? log[last]! : null
}
