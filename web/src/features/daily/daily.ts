/** The day's deals: what the server says of them, and how it is shown. */
import { read, request, sit } from '../../lib/api'
import { t, texts } from '../../lib/i18n.svelte'
import { moment } from './dailyScores'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import type { DayInfo, DealInfo, DailyOutcome, PlayDeal, TableInfo } from '../../lib/wire'

const at = (game: string, day = ''): string => `/api/day/${encodeURIComponent(game)}${day && `/${day}`}`

export const daily = {
  of: (game: string) => read<DayInfo>(at(game)),
  deal: (game: string, day: string) => read<DealInfo>(at(game, encodeURIComponent(day))),
  play: (game: string, day: string) => sit(request('POST', at(game), { day, pace: 'calm' } satisfies PlayDeal)),
}

/** Where a game's deal is: that of today, or of another day. */
export const linkTo = (game: string, day = ''): string => `#/day/${game}${day && `/${day}`}`

/** Of the table of a deal: the deal, while others may still play it. */
export async function openDeal({ game, deal }: TableInfo): Promise<DealInfo | null> {
  const found = deal ? await daily.deal(game, deal).catch(() => null) : null
  return found?.closed ? null : found
}

/** A refusal in words. */
export function refusal(error: unknown): string {
  const key = error instanceof Refused ? `day.error.${error.problem.code ?? ''}` : ''
  return key && texts.has(key) ? t(key) : explain(error)
}

export const dated = (day: string, how: Intl.DateTimeFormatOptions = { dateStyle: 'long' }): string =>
  new Intl.DateTimeFormat(texts.locale, { ...how, timeZone: 'UTC' }).format(moment(day))

/** When a day begins, by the reader's clock. */
export const begins = (day: string, how: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(texts.locale, how).format(moment(day))

export function marginOf({ margin }: DailyOutcome): string {
  if (margin === 0) return t('day.level')
  return margin > 0 ? t('day.ahead', { n: margin }) : t('day.behind', { n: -margin })
}
