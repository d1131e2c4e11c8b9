/** What a table chose about time, in words. */
import { duration } from './clock'
import { t, texts } from './i18n.svelte'
import type { TimeControl } from './wire'

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
