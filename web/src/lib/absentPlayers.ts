/** Who is gone while the others wait, and how far they are with letting a bot play for them. */
import type { SeatInfo, TableInfo } from './wire'

interface AbsentPlayer {
  seat: number
  /** Who wants a bot to play, in the order in which they said so. */
  agreed: number[]
  /** Whether it is you who is asked now. */
  asks: boolean
  /** Who else has to agree. */
  missing: number[]
}

/** A person's chair, and the person does not answer. */
export const isGone = (seat: SeatInfo): boolean =>
  seat.kind === 'human' && !seat.bot && !seat.you && (seat.away || !seat.online)

export function absentPlayers({ seats, you, actors, status }: TableInfo): AbsentPlayer[] {
  if (you === null || status !== 'playing') return []
  const here = (seat: SeatInfo): boolean => seat.kind === 'human' && !seat.bot && !isGone(seat)
  // Where everybody decides at once, the absent keep nobody waiting as long as a player who is here still thinks.
  const waiting = !seats.some((seat) => actors.includes(seat.seat) && here(seat))
  return seats
    .filter((seat) => isGone(seat) && ((waiting && actors.includes(seat.seat)) || !!seat.agreed?.length))
    .map(({ seat, agreed = [] }) => ({
      seat,
      agreed,
      asks: !agreed.includes(you),
      missing: seats
        .filter((one) => one.kind === 'human' && !one.bot && !one.away && (one.online || one.you))
        .map((one) => one.seat)
        .filter((one) => one !== seat && one !== you && !agreed.includes(one)),
    }))
}
