/** What a table needs before anything of it can be shown: what lies there, its board and its words. */
import { api, isMine } from '../lib/api'
import { moduleOf, type GameModule } from './games'
import { texts } from '../lib/i18n.svelte'
import { Refused, unknownGame } from '../lib/refused'
import type { TableInfo } from '../lib/wire'

export type Opened = Awaited<ReturnType<GameModule['board']>> & { game: string; table: TableInfo }

let early: { table: string; opened: Promise<Opened> } | null = null

/** Begins to fetch a table that will be opened at once. */
export function prefetch(table: string, secret?: string): void {
  early = { table, opened: fetchAll(table, secret) }
  // An error is reported when the part is opened.
  early.opened.catch(() => undefined)
}

/** The board of a table's game, with the words of the game there too. */
export function open(table: string, secret?: string): Promise<Opened> {
  const opened = early?.table === table ? early.opened : fetchAll(table, secret)
  early = null
  return opened
}

async function fetchAll(table: string, secret?: string): Promise<Opened> {
  const info = await api.table(table, secret).catch((error) => {
    if (error instanceof Refused && error.problem.status === 404 && isMine(table)) error.problem.code = 'no_cookies'
    throw error
  })
  const { game } = info
  const module = moduleOf(game)
  if (!module) throw unknownGame()
  const [board] = await Promise.all([module.board(), texts.need(game)])
  return { ...board, game, table: info }
}
