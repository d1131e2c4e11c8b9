/** What was written and could not be sent yet, kept in this browser until the server has it. */
import { keep, recall } from '../../lib/kept'

/** `who`: by the server's word; `page`: which window keeps it, for two of them may write at once. `before`: what was stored. */
export interface Draft {
  who: string
  table: string
  seq: number
  page: string
  text: string
  before: string
}

const KEPT = 'ziggurat.notes'
/** How many are kept; the oldest go. */
const MOST = 100

/** Another one each time the page is loaded. */
export const PAGE = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16)).join('')

const isDraft = (one: unknown): one is Draft => {
  const { who, table, seq, page, text, before } = (one ?? {}) as Record<string, unknown>
  return Number.isInteger(seq) && [who, table, page, text, before].every((part) => typeof part === 'string')
}

export function drafts(): Draft[] {
  const kept = recall<unknown>(KEPT, [])
  return Array.isArray(kept) ? kept.filter(isDraft) : []
}

/** Whether two are about the same note. */
export const about = (one: Omit<Draft, 'text' | 'before' | 'page'>, other: Draft): boolean =>
  one.who === other.who && one.table === other.table && one.seq === other.seq

const others = (one: Draft): Draft[] => drafts().filter((other) => !(about(one, other) && one.page === other.page))

/** Keeps one, instead of the one before; says whether the browser let it. */
export const keepDraft = (one: Draft): boolean => keep(KEPT, [...others(one), one].slice(-MOST))

export const dropDraft = (one: Draft): void => void keep(KEPT, others(one))
