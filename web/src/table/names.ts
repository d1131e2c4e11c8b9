/** The names of seats. A program is called by its kind; several of a kind have names of architects. */
import { t } from '../lib/i18n.svelte'
import type { SeatInfo, TableInfo } from '../lib/wire'

/** The name that the host has given to a bot of their own; nothing for one of ours. */
export const hosted = (bot: string | null): string | undefined => bot?.split('host:')[1]

/** The seats that nobody has, and that are kept for nobody. */
export const free = ({ seats }: Pick<TableInfo, 'seats'>): SeatInfo[] =>
  seats.filter(({ kind, kept }) => kind === 'open' && !kept)

export function nameOf(info: SeatInfo, all: SeatInfo[]): string {
  if (info.kind === 'open') return (info.kept && info.name) || t(info.kept ? 'ui.seat.kept' : 'ui.seat.open')
  if (info.kind === 'human' || info.bot === null)
    return (
      (info.name || t(info.away ? 'ui.seat.somebody' : 'ui.seat.guest')) +
      (info.program ? ` (${t(info.program === 'bot' ? 'ui.seat.bot' : 'ui.seat.program')})` : '')
    )
  const same = all.filter((other) => other.kind === 'bot' && other.bot === info.bot)
  const own = hosted(info.bot)
  if (same.length === 1) return own ?? t(`ui.bot.${info.bot}`)
  if (own) return `${own} ${same.indexOf(info) + 1}`
  const bots = all.filter((other) => other.kind === 'bot')
  return t(`ui.bot.name.${bots.indexOf(info) + 1}`)
}

/** Who won, in words for the person who looks. */
export function whoWon({ you, winners, seats }: TableInfo, nameOf: (seat: number) => string): string {
  // Where a bot stood in, the same sentence says for how much of the game.
  const name = (seat: number): string => {
    const { by_bot: n, moves: of } = seats[seat] ?? {}
    return n ? t('ui.end.with_bot', { name: nameOf(seat), n, of: of! }) : nameOf(seat)
  }
  // A figure of the game's own has won.
  if (!winners?.length) return t('ui.status.finished')
  if (you === null || !winners.includes(you)) return t('ui.end.won', { winners: winners.map(name) })
  if (seats[you]!.by_bot) return t('ui.end.your_seat_won')
  const others = winners.filter((seat) => seat !== you)
  return others.length ? t('ui.end.you_shared', { seats: others.map(name) }) : t('ui.end.you_won')
}
