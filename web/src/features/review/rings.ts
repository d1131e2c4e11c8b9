/** Where the pieces are at which people point. */
import { pieceName } from '../../table/pieceHelp'
import type { Ring } from './room.svelte'

export interface RingAt {
  id: number
  seat: number
  left: number
  top: number
  width: number
  height: number
}

const AROUND = 5
/** Pixels above a ring that the name of its person needs. */
const NAME = 30

export const nameAt = (top: number): 'above' | 'below' => (top < NAME ? 'below' : 'above')

/** The element that is meant: of several of the same name the one at the place, if it is on this board. */
function meant({ piece, place }: Ring): HTMLElement | null {
  const all = [...document.querySelectorAll<HTMLElement>('main.table :is([data-what],[data-place])')].filter(
    (one) => pieceName(one) === piece && one.getClientRects().length > 0,
  )
  const there = all.find((one) => one.closest<HTMLElement>('[data-place]')?.dataset.place === place)
  return there ?? all[0] ?? null
}

export function ringsAround(rings: Ring[]): RingAt[] {
  return rings.flatMap((ring) => {
    const box = meant(ring)?.getBoundingClientRect()
    if (!box) return []
    return [
      {
        id: ring.id,
        seat: ring.seat,
        left: box.left - AROUND,
        top: box.top - AROUND,
        width: box.width + 2 * AROUND,
        height: box.height + 2 * AROUND,
      },
    ]
  })
}
