/** The pads alone, without pictures, for `web/scripts/pad.mjs`; the page takes each with its `PadPicture.svelte`. */
import type { Pad } from '../../lib/pad'

export { cellsOf, judge } from '../../lib/pad'

const modules = import.meta.glob<{ default: Pad }>('../../games/*/pad.ts')

/** The pad of a game. */
export async function padOf(game: string): Promise<Pad | null> {
  const found = modules[`../../games/${game}/pad.ts`]
  return found ? (await found()).default : null
}
