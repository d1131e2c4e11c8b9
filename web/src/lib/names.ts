/** What somebody at a table is called. A program is called by its kind; several of a kind have names of architects. */
import { t } from './i18n.svelte'
import type { SeatInfo } from './wire'

export function nameOf(info: SeatInfo, all: SeatInfo[]): string {
  if (info.kind === 'open') return t('ui.seat.open')
  if (info.kind === 'human' || info.bot === null)
    return info.name || t(info.away ? 'ui.seat.somebody' : 'ui.seat.guest')
  const same = all.filter((other) => other.kind === 'bot' && other.bot === info.bot)
  const bot = t(`ui.bot.${info.bot}`)
  if (same.length === 1) return bot
  const bots = all.filter((other) => other.kind === 'bot')
  return t(`ui.bot.name.${bots.indexOf(info) + 1}`)
}
