/** Groups of people who play together: what the server is asked, and when they meet. */
import { json, read, request } from '../../lib/api'
import { speaker, t, texts } from '../../lib/i18n.svelte'
import type {
  Evening,
  EveningAnswer,
  GroupChange,
  GroupId,
  GroupInfo,
  GroupPersonChange,
  NewGroup,
} from '../../lib/wire'

const at = (...parts: string[]): string => `/api/${parts.map(encodeURIComponent).join('/')}`

export const groups = {
  found: (wish: NewGroup) => json<GroupId>(request('POST', at('groups'), wish)),
  get: (id: string, secret: string) => read<GroupInfo>(at('groups', id), secret ? { 'X-Invite': secret } : {}),
  join: (id: string, invite: string, name: string) =>
    json<GroupInfo>(request('POST', at('groups', id, 'join'), { invite, name })),
  leave: (id: string) => request('POST', at('groups', id, 'leave'), {}),
  change: (id: string, what: GroupChange) => json<GroupInfo>(request('PUT', at('groups', id), what)),
  person: (id: string, what: GroupPersonChange) => json<GroupInfo>(request('POST', at('groups', id, 'people'), what)),
  come: (id: string, what: EveningAnswer) => json<GroupInfo>(request('PUT', at('groups', id, 'evening'), what)),
  end: (id: string) => request('DELETE', at('groups', id)),
}

/** The name of a day of the week; 0 is Monday. */
export const weekday = (number: number): string =>
  new Date(Date.UTC(2024, 0, 1 + number)).toLocaleDateString(texts.locale, { weekday: 'long', timeZone: 'UTC' })

/** A moment with its day of the week, by the clocks of this browser. */
export const moment = (iso: string): string =>
  new Date(iso).toLocaleString(texts.locale, { dateStyle: 'full', timeStyle: 'short' })

/** When a group meets, by the clocks of the evening: "Every Friday at 19:30 (Europe/Budapest)." */
export function when({ weekday: day, on, time, zone }: Evening): string {
  if (!on) return t('folk.every', { day: weekday(day ?? 0), time, zone })
  const date = new Date(on).toLocaleDateString(texts.locale, { dateStyle: 'full', timeZone: 'UTC' })
  return t('folk.once', { date, time, zone })
}

/** How long a group meets, and what it plays then: "3 hours · Alhambra". */
export const plan = ({ minutes = 180, games = [] }: Evening): string =>
  [t('folk.hours', { n: minutes / 60 }), ...games.map((id) => speaker(id)('name'))].join(' · ')
