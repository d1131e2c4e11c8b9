/** The page of the hosts of the server: what they look up and do. */
import { json, read, request } from '../../lib/api'
import { words as later } from '../../lib/catalogue'
import { t, texts } from '../../lib/i18n.svelte'
import { need } from '../../lib/parts'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import type {
  Deed,
  HouseInfo,
  LookLink,
  Maintaining,
  Overview,
  PersonDeed,
  PersonRow,
  Report,
  Settled,
  TableDeed,
  TableRow,
  Telling,
} from '../../lib/wire'

const at = (...parts: string[]): string => `/api/${parts.map(encodeURIComponent).join('/')}`

/** What everybody may ask: what the hosts say. Nobody waits for it. */
export const house = {
  get: () => json<HouseInfo>(request('GET', at('house'))),
  read: (word: string) => request('DELETE', at('me', 'words', word)),
}

export const hosting = {
  become: (token: string) => request('POST', at('me', 'host'), { token }),
  overview: () => json<Overview>(request('GET', at('host'))),
  reports: (status: 'new' | 'seen') => read<Report[]>(`${at('host', 'reports')}?status=${status}`),
  settle: (report: string, what: Settled) => request('POST', at('host', 'reports', report), what),
  people: (text: string) => read<PersonRow[]>(`${at('host', 'people')}?text=${encodeURIComponent(text)}`),
  person: (id: string, what: PersonDeed) => request('POST', at('host', 'people', id), what),
  everything: (id: string) => json<unknown>(request('POST', at('host', 'people', id, 'everything'), {})),
  tables: (text: string) => read<TableRow[]>(`${at('host', 'tables')}?text=${encodeURIComponent(text)}`),
  table: (id: string, what: TableDeed) => request('POST', at('host', 'tables', id), what),
  look: (id: string) => json<LookLink>(request('POST', at('host', 'tables', id, 'look'), {})),
  tell: (what: Telling) => request('PUT', at('host', 'message'), what),
  maintain: (what: Maintaining) => request('PUT', at('host', 'maintenance'), what),
  deeds: (before?: number) => read<Deed[]>(`${at('host', 'deeds')}${before ? `?before=${before}` : ''}`),
}

/** The words of these pages. */
export const words = async (): Promise<void> => void (await Promise.all([need('host'), later()]))

/** A refusal in words. */
export function refusal(error: unknown): string {
  const problem = error instanceof Refused ? error.problem : null
  const key = `host.error.${problem?.code ?? ''}`
  return problem && texts.has(key) ? t(key, problem.args) : explain(error)
}

/** When something was, in seconds since 1970 or as the server says it: "27 Nov 2026, 14:05". */
export const moment = (when: number | string): string =>
  new Date(typeof when === 'number' ? 1000 * when : when).toLocaleString(texts.locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })

export const day = (seconds: number): string =>
  new Date(1000 * seconds).toLocaleDateString(texts.locale, { dateStyle: 'medium' })

/** So many bytes: "1.5 GB". */
export const bytes = (count: number): string => {
  const size = count >= 1e9 ? 'giga' : 'mega'
  return (count / (size === 'giga' ? 1e9 : 1e6)).toLocaleString(texts.locale, {
    style: 'unit',
    unit: `${size}byte`,
    maximumFractionDigits: 1,
  })
}

/** After this nobody lets them in again by the clock (`FOREVER` of the server). */
export const isForGood = (until: number): boolean => until > 4e9
