/** The ways to ask what a piece is; loaded at the first of them. */
import { mount, unmount } from 'svelte'
import PieceHelp from './PieceHelp.svelte'
import { need } from '../lib/parts'
import type { TableSession } from './tableSession.svelte'
import { lasts, pieceAt, pieceName } from './pieceHelp'

/** How long a finger rests on a piece, and how far it may slip. */
const LONG = 500
const SLIP = 10
/** Whatever may be a piece. */
const PIECES = '[data-what],[data-place]'

/** The pieces within an element, each once, in the order of the page; what is not drawn here is none. */
export function piecesIn(area: ParentNode): string[] {
  const all = [...area.querySelectorAll<HTMLElement>(PIECES)].filter((one) => one.getClientRects().length > 0)
  return [...new Set(all.map(pieceName).filter(Boolean))]
}

export function showPieceHelp(session: TableSession, event: Event): void {
  if (event instanceof KeyboardEvent) return byKey(session)
  const target = event.target as Element
  if (event.type === 'contextmenu') return show(session, pieceAt(target))
  if (event instanceof PointerEvent && event.pointerType !== 'mouse' && lasts(event)) rest(session, event, target)
}

/** What the focus is on; else what is under the pointer; else what lies near the focus; else everything there is. */
function byKey(session: TableSession): void {
  const focused = document.activeElement?.matches(':focus-visible') ? pieceAt(document.activeElement) : null
  const under = [...document.querySelectorAll(':hover')].at(-1)
  const area = document.activeElement?.closest<HTMLElement>('section, [role=region], [role=group]')
  const near = area && piecesIn(area).length > 0 ? area : null
  show(session, focused ?? (under ? pieceAt(under) : null) ?? near)
}

let ending: (() => void) | null = null

/** A finger rests on a piece: it is asked about, and nothing else is done. */
function rest(session: TableSession, begun: PointerEvent, target: Element): void {
  ending?.()
  const timer = setTimeout(
    () => {
      end()
      // What the finger does when it is lifted is no touch any more.
      const swallow = (event: Event): void => {
        event.preventDefault()
        event.stopPropagation()
      }
      addEventListener('click', swallow, { capture: true, once: true })
      addEventListener('pointerdown', () => removeEventListener('click', swallow, { capture: true }), {
        capture: true,
        once: true,
      })
      show(session, pieceAt(target))
    },
    Math.max(0, LONG - (performance.now() - begun.timeStamp)),
  )
  const slips = ({ clientX, clientY }: PointerEvent): void => {
    if (Math.hypot(clientX - begun.clientX, clientY - begun.clientY) > SLIP) end()
  }
  const over = ['pointerup', 'pointercancel', 'pointerdown', 'contextmenu', 'scroll']
  function end(): void {
    clearTimeout(timer)
    removeEventListener('pointermove', slips, true)
    for (const type of over) removeEventListener(type, end, true)
    ending = null
  }
  addEventListener('pointermove', slips, true)
  for (const type of over) addEventListener(type, end, true)
  ending = end
}

function show(session: TableSession, piece: HTMLElement | null): void {
  if (document.querySelector('dialog.piece-help')) return
  const own = (piece?.dataset.what ?? piece?.dataset.place) ? [pieceName(piece!)] : []
  const within = piecesIn(piece ?? document.querySelector('main') ?? document.body)
  if (!own.length && !within.length)
    return void need('what').then(() => session.pendingMove.refuse({ key: 'what.none', args: {} }))
  const target = document.querySelector(`.game-${session.game}`) ?? document.body
  const shown = mount(PieceHelp, {
    target,
    props: { session, at: piece, own, within, onclose: () => void unmount(shown) },
  })
}
