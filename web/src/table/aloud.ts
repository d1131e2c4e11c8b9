/** Tells something to those who listen (`Announcer.svelte`); the same again is told again, because it ends otherwise. */
import type { TableSession } from './tableSession.svelte'

const UNHEARD = '\u00a0'

export function aloud(session: TableSession, text: string): void {
  session.answer = text + (session.answer.endsWith(UNHEARD) ? '' : UNHEARD)
}
