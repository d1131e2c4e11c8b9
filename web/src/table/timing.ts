/** What a table chose about time, in words. */
import { duration } from './clock'
import { t, texts } from '../lib/i18n.svelte'
import type { TimeControl } from '../lib/wire'

export const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400] as const

/** Reserve and seconds of a decision; the usual ones in the middle. */
export const PRESETS: Record<TimeControl['kind'], [number, number][]> = {
  live: [
    [5 * MINUTE, 15],
    [10 * MINUTE, 30],
    [20 * MINUTE, 60],
  ],
  days: [
    [DAY, 12 * HOUR],
    [3 * DAY, DAY],
    [7 * DAY, 2 * DAY],
  ],
}

/** The usual clock of a pace, as it is where a table is looked for (`features/open_tables/find.py`). */
export function usualTime(kind: TimeControl['kind'], bots: string[]): TimeControl {
  const [reserve, step] = PRESETS[kind][1]!
  const [days, bot] = [kind === 'days', bots.includes('builder') ? 'builder' : (bots.at(-1) ?? '')]
  // oxlint-disable-next-line unicorn/no-thenable -- a field of the server's, and no function
  return { kind, reserve, step, then: 'bot', bot, nights: days, vacation: days ? 7 : 0 }
}

export function timing({ kind, reserve, step, then = 'bot', bot, nights, vacation = 0 }: TimeControl): string {
  const { language } = texts
  const args = {
    reserve: duration(reserve, language),
    step: duration(step, language),
    bot: t(`ui.bot.${bot}`),
    days: vacation,
  }
  const says = [t(reserve ? 'time.set.told' : 'time.set.told.step', args), t(`time.set.then.${then}.told`, args)]
  if (kind === 'days' && nights) says.push(t('time.set.nights.told'))
  if (kind === 'days' && vacation) says.push(t('time.set.vacation.told', args))
  return says.join(' ')
}
