/** What is this? A piece that is touched for long says so. It comes when needed, and the keys with the first of them. */
import type { TableSession } from './tableSession.svelte'

/** A piece has a name of its own, or that of the place on which it lies. The place of a move is none: its name is empty. */
const PIECE = ':is([data-what],[data-place]):not([data-what=""])'

/** The piece on which something lies, or the one that a button shows. */
export function pieceAt(target: Element): HTMLElement | null {
  const found = target.closest<HTMLElement>(`button,${PIECE}`)
  if (found && !found.matches(PIECE)) return found.querySelector<HTMLElement>(PIECE) ?? found.closest(PIECE)
  return found
}

/** The name of the piece that an element is; a place that is none, such as that of a move, has an empty one. */
export const pieceName = ({ dataset: { what, place = '' } }: HTMLElement): string => what ?? place.replaceAll(':', ' ')

/** The touch that lasts: it may be over before the rest has come. */
let lasting: Event | null = null
export const lasts = (event: Event): boolean => event === lasting

let keys: typeof import('./keys.svelte') | undefined

export function pieceHelp(session: TableSession, event: Event): void {
  const target = event.target as Element
  if (target.closest('input,textarea,select')) return
  if (event instanceof KeyboardEvent) {
    if (keys) return keys.pressed(session, event)
    return void import('./keys.svelte').then(
      (module) => (keys = module).pressed(session, event),
      () => undefined,
    )
  }
  if (!pieceAt(target)) return
  if (event.type === 'contextmenu') event.preventDefault()
  lasting = event
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (lasting = null), { once: true })
  // Every touch begins it; where the connection is lost in between, the next one does.
  import('./showPieceHelp').then(
    ({ showPieceHelp }) => showPieceHelp(session, event),
    () => undefined,
  )
}
