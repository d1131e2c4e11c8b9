/** Who is gone while the others wait, and how far they are with letting a bot play for them. */
import type { SeatInfo, TableInfo } from '../lib/wire'

interface AbsentPlayer {
  seat: number
  /** Who wants a bot to play, in the order in which they said so. */
  agreed: number[]
  /** Whether it is you who is asked now. */
  asks: boolean
  /** Who else is asked: those who are here, or were a moment ago. */
  missing: number[]
  /** Whether the word of one more person is needed, who is not here: where several play nobody decides alone. */
  alone: boolean
}

/** Seconds for which a person who is gone is still asked; as on the server. */
const RECENT = 300

/** A person's chair, and the person does not answer. */
export const isGone = (seat: SeatInfo): boolean =>
  seat.kind === 'human' && !seat.bot && !seat.you && (seat.away || !seat.online)

export function absentPlayers({ seats, you, actors, status, time }: TableInfo): AbsentPlayer[] {
  // By days nobody is taken over for being gone: their clock decides.
  if (you === null || status !== 'playing' || time?.control.kind === 'days') return []
  const here = (seat: SeatInfo): boolean => seat.kind === 'human' && !seat.bot && !isGone(seat)
  // Where everybody decides at once, the absent keep nobody waiting as long as a player who is here still thinks.
  const mine = seats.filter((seat) => seat.you || seat.near).map(({ seat }) => seat)
  const people = seats.filter((seat) => seat.kind === 'human' && !seat.resigned)
  const others = people.filter(({ seat }) => !mine.includes(seat))
  const waiting = !seats.some((seat) => actors.includes(seat.seat) && here(seat))
  return seats
    .filter((seat) => isGone(seat) && ((waiting && actors.includes(seat.seat)) || !!seat.agreed?.length))
    .map(({ seat, agreed = [] }) => ({
      seat,
      agreed,
      asks: !agreed.includes(you),
      missing: others
        .filter((one) => one.online || (one.gone ?? 0) <= RECENT)
        .map((one) => one.seat)
        .filter((one) => one !== seat && !agreed.includes(one)),
      alone: others.length > 1 && agreed.every((one) => mine.includes(one)),
    }))
}
