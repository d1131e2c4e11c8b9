/** The people one knows: those of earlier tables, and those who are blocked. */
import { json, request } from '../lib/api'
import { texts } from '../lib/i18n.svelte'
import type { TableInfo } from '../lib/wire'

const at = (...parts: string[]): string => `/api/${parts.map(encodeURIComponent).join('/')}`

export const people = {
  invite: (table: string, person: string) =>
    json<TableInfo>(request('POST', at('tables', table, 'invite'), { person })),
  block: (person: string) => request('POST', at('blocks'), { person }),
  report: (person: string) => request('POST', at('names', 'reports'), { person }),
  unblock: (person: string) => request('DELETE', at('blocks', person)),
}

/** When something was: "27 November 2026". */
export const day = (moment: string): string =>
  new Date(moment).toLocaleDateString(texts.locale, { day: 'numeric', month: 'long', year: 'numeric' })
