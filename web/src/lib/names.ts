/** What somebody at a table is called. Programs have names of their own, numbered where several of a kind sit. */
import { t } from './i18n.svelte'
import type { SeatInfo } from './types'

export function nameOf(info: SeatInfo, all: SeatInfo[]): string {
  if (info.kind === 'open') return t('ui.seat.open')
  if (info.kind === 'human' || info.bot === null) return info.name || t('ui.seat.guest')
  const same = all.filter((other) => other.bot === info.bot)
  const bot = t(`ui.bot.${info.bot}`)
  return same.length > 1 ? t('ui.bot.numbered', { bot, n: same.indexOf(info) + 1 }) : bot
}
