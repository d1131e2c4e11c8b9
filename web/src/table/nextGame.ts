import { api } from '../lib/api'
import type { TableInfo } from '../lib/wire'

/** Which game the people of a finished table play next, where it is another one; else nothing. */
export async function nextGame({ game, rematch }: TableInfo): Promise<string> {
  const next = rematch ? await api.table(rematch).catch(() => null) : null
  return next && next.game !== game ? next.game : ''
}
