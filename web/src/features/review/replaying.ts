/** Going through a finished game: its moments, and what a search says of its moves. */
import { read } from '../../lib/api'
import type { TableSession } from '../../table/tableSession.svelte'
import type { History, Judgement } from '../../lib/wire'

const path = (table: string, what: string): string => `/api/tables/${encodeURIComponent(table)}/${what}`

/** Loads the moments of a game, unless they are there. */
export async function load(session: TableSession): Promise<void> {
  session.frames ??= (await read<History>(path(session.source.id, 'history'))).frames
}

/** Goes through it from its beginning. */
export async function look(session: TableSession): Promise<void> {
  await load(session)
  session.at = 0
  session.replaying = true
}

/** What a move was worth, by the number of its change. */
export const judge = (table: string, seq: number): Promise<Judgement> => read<Judgement>(path(table, `review/${seq}`))
