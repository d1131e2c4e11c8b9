/** Levels: what the server says of them, and how they are said. */
import { json, read, request } from '../../lib/api'
import { t, texts } from '../../lib/i18n.svelte'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import type { LevelsOf, ShowLevels, TableLevels } from '../../lib/wire'

export const levels = {
  mine: () => read<LevelsOf>('/api/levels/me'),
  of: (page: string) => read<LevelsOf>(`/api/levels/people/${encodeURIComponent(page)}`),
  show: (shows: ShowLevels['shows']) => json<LevelsOf>(request('PUT', '/api/levels/me', { shows })),
  at: (table: string) => read<TableLevels>(`/api/tables/${encodeURIComponent(table)}/levels`),
}

/** Where a person's page is; without a name one's own. */
export const linkTo = (page = ''): string => `#/person${page && `/${page}`}`

/** A refusal in words. */
export function refusal(error: unknown): string {
  const key = error instanceof Refused ? `levels.error.${error.problem.code ?? ''}` : ''
  return key && texts.has(key) ? t(key) : explain(error)
}

/** How near a rung somebody is as good as it, in steps. */
const NEAR = 0.12

const rung = (rungs: string[], at: number): string => t(`ui.bot.${rungs[at]!}`)

/** A level in rungs, said as a level of its own. */
export function said(level: number, rungs: string[]): string {
  const nearest = Math.round(level)
  if (rungs[nearest] && Math.abs(level - nearest) <= NEAR) return t('levels.about', { rung: rung(rungs, nearest) })
  if (level < 0) return t('levels.below', { rung: rung(rungs, 0) })
  if (level > rungs.length - 1) return t('levels.above', { rung: rung(rungs, rungs.length - 1) })
  const low = Math.floor(level)
  return t('levels.between', { low: rung(rungs, low), high: rung(rungs, low + 1) })
}

/** The end of a range, within a sentence. */
export function placed(level: number, rungs: string[]): string {
  const nearest = Math.round(level)
  if (rungs[nearest] && Math.abs(level - nearest) <= NEAR) return t('levels.at.rung', { rung: rung(rungs, nearest) })
  if (level < 0) return t('levels.at.below', { rung: rung(rungs, 0) })
  if (level > rungs.length - 1) return t('levels.at.above', { rung: rung(rungs, rungs.length - 1) })
  const low = Math.floor(level)
  const part = level - low
  const key = part < 0.35 ? 'low' : part > 0.65 ? 'high' : 'half'
  return t(`levels.at.${key}`, { low: rung(rungs, low), high: rung(rungs, low + 1) })
}

/** A day; without its year where that is told already. */
export const dated = (moment: string, year = true): string =>
  new Intl.DateTimeFormat(texts.locale, {
    month: 'short',
    day: 'numeric',
    ...(year && { year: 'numeric' }),
  }).format(new Date(moment))
