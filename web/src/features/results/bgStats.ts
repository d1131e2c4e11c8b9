/**
 * A finished game as a link for the app BG Stats, which opens with its own form filled in: nothing is recorded before a person
 * has looked at it. It has what everybody at the table sees.
 */
import type { ResultInfo, SeatInfo, TableInfo } from '../../lib/wire'

const CREATE = 'https://app.bgstatsapp.com/createPlay.html?data='

/** A moment as the app reads it: in UTC. */
const utc = (moment: string): string => new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** Places: winners are first, whatever broke their tie; equal scores share one. */
export function places(scores: number[], winners: number[]): number[] {
  const order = scores.map((score, seat) => [winners.includes(seat) ? 1 : 0, score] as const)
  const above = (one: readonly [number, number], other: readonly [number, number]): boolean =>
    one[0] > other[0] || (one[0] === other[0] && one[1] > other[1])
  return order.map((own) => 1 + order.filter((other) => above(other, own)).length)
}

/** By what the app knows a player again: a bot by its kind, a person by their name. */
const known = ({ kind, bot }: SeatInfo, name: string): string => (kind === 'bot' ? `bot:${bot}` : name)

/** The link; null: the game was ended before anybody could win it. */
export function bgStatsLink(
  table: TableInfo,
  result: ResultInfo,
  name: (seat: number) => string,
  at: string,
): string | null {
  const { scores, winners, seats } = table
  if (table.status !== 'finished' || !scores || !winners) return null
  const place = places(scores, winners)
  const play = {
    sourceName: 'Ziggurat',
    sourcePlayId: table.id,
    playDate: utc(result.ended),
    ...(result.minutes === null ? {} : { durationMin: result.minutes }),
    location: at,
    game: {
      sourceGameId: table.game,
      name: result.name,
      ...(result.bgg === null ? {} : { bggId: result.bgg }),
      highestWins: true,
      noPoints: false,
    },
    players: seats.map((info) => ({
      sourcePlayerId: known(info, name(info.seat)),
      name: name(info.seat),
      startPlayer: info.seat === result.starter,
      score: scores[info.seat],
      rank: place[info.seat],
      // The app wants it of everybody.
      winner: winners.includes(info.seat),
    })),
  }
  return CREATE + encodeURIComponent(JSON.stringify(play))
}
