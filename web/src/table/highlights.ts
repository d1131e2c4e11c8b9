/** Shows moves on the board together; returns what ends it. */
import { mount, unmount } from 'svelte'
import Highlights from './Highlights.svelte'
import { t } from '../lib/i18n.svelte'
import type { TableSession } from './tableSession.svelte'
import { targets, type Target } from './moves'
import type { Description } from '../lib/wire'

/** A move that is shown on the board. */
export interface Highlight {
  kind: 'better' | 'played' | 'about'
  label: string
  /** Asked again and again: what is shown of a move goes on with it. */
  targets: () => Target[]
  /** Where it is shown when nothing else of it can be seen. */
  seat: number
}

interface Shown {
  move: Description
  kind: Highlight['kind']
  /** Who says so, where it is not simply the better move. */
  label?: string
}

export function highlight(session: TableSession, seat: number, moves: Shown[]): () => void {
  return frame(
    moves.map(({ move, kind, label = t(`ui.review.shown.${kind}`) }) => ({
      kind,
      label,
      seat,
      targets: () => {
        const own = seat === session.you
        return targets(session.game, session.view, seat, own, move, own ? session.pendingMove.steps : [])
      },
    })),
  )
}

/** Shows places on the board that something is about. */
export const point = (places: Target[]): (() => void) =>
  frame([{ kind: 'about', label: '', seat: -1, targets: () => places }])

function frame(highlights: Highlight[]): () => void {
  // Within the table, so that what lies over the board there lies over them, too.
  const target = document.querySelector('main') ?? document.body
  const shown = mount(Highlights, { target, props: { highlights } })
  return () => void unmount(shown)
}
