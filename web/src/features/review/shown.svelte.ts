/** A finished game without a table at which anybody sits: by its link, or from a replay file. */
import { json, read, request } from '../../lib/api'
import { t } from '../../lib/i18n.svelte'
import { Sandbox } from '../../table/sandbox.svelte'
import type { About, Frame, Judgement, Preview, SharedGame, TableInfo } from '../../lib/wire'

export interface Game {
  table: TableInfo
  frames: Frame[]
}

/** Who is not named is a player of a number. */
function named({ table, frames }: SharedGame): Game {
  const seats = table.seats.map((seat) => ({
    ...seat,
    online: true, // nobody waits for them
    name: seat.kind === 'human' ? seat.name || t('room.player', { n: seat.seat + 1 }) : '',
  }))
  return { table: { ...table, seats }, frames: frames as Frame[] }
}

const header = (secret: string): Record<string, string> => ({ 'X-Game': secret })

export const byLink = async (secret: string): Promise<Game> =>
  named(await read<SharedGame>('/api/shown', header(secret)))
export const fromFile = async (text: string): Promise<Game> =>
  named(await json<SharedGame>(request('POST', '/api/replays', { text })))
export const judged = (secret: string, seq: number): Promise<Judgement> =>
  read<Judgement>(`/api/shown/review/${seq}`, header(secret))

/** Saves the file of a game that is shown by a link. */
export async function download(secret: string, game: string): Promise<void> {
  const text = await (await request('GET', '/api/shown/replay', undefined, header(secret))).text()
  const at = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: at, download: `${game}.replay` }).click()
  URL.revokeObjectURL(at)
}

const nothing = (): Promise<never> => Promise.reject(new Error('nobody plays here'))

export class ShownGame extends Sandbox {
  /** `key`: the secret of its link; none: it is from a file, of which nobody can say what a move was worth. */
  constructor(
    { table, frames }: Game,
    readonly key: string,
  ) {
    super()
    this.table = table
    this.view = frames.at(-1)?.view ?? null
    this.log = frames.flatMap((frame) => frame.events)
    this.seq = 1
  }

  override move(): Promise<number> {
    return nothing()
  }

  override preview(): Promise<Preview> {
    return nothing()
  }

  override about(): Promise<About[]> {
    return nothing()
  }
}
