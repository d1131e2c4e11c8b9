/** What the bar offers in addition to the game: a Master's advice. Loaded on demand. */
import { connection } from '../lib/connection.svelte'
import { BULB } from '../parts/bulb'
import type Reasons from './Reasons.svelte'
import type { TableSession } from './tableSession.svelte'
import type { Phrase } from '../lib/wire'

export { BULB }

export interface Deed {
  label: string
  run: () => void
  primary?: boolean
  /** The last action that it plays. */
  action?: number
}

/** A sentence for the bar, and what can be done about it. */
export interface Help {
  say: () => string
  deeds: Deed[]
  /** Shows on the board what it is about; returns what ends it. */
  show?: () => () => void
  busy?: boolean
  bad?: boolean
  /** What speaks for it: the first reason, or all of them. */
  why?: { reasons: Phrase[]; Reasons: typeof Reasons; all: boolean }
}

/** Asks what a Master would do, and tells what is known so far; the caller has loaded what it takes. */
export async function advise(session: TableSession, tell: (help: Help | null) => boolean): Promise<void> {
  await (await connection.sure(() => import('./advice'))).advise(session, tell)
}
