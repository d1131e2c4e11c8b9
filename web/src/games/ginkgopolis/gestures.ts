/** The gestures on the city: dragged, thrown, pinched, zoomed with the wheel. */
import type { Point } from './camera'
import type { Look } from './look.svelte'

const DRAG = 6

interface Hands {
  look: Look
  /** The city is being moved: what lay under the pointer is no longer meant. */
  ontake: () => void
}

export function gestures(screen: HTMLElement, { look, ontake }: Hands): { destroy(): void } {
  const pointers = new Map<number, Point>()
  let began: Point = { x: 0, y: 0 }
  let dragged = false
  /** How fast the city follows the pointer, in pixels a millisecond, and when that was. */
  let swing = { x: 0, y: 0, at: 0 }
  /** Where the city lies on the page; asked once a gesture, because asking makes the browser lay out the page. */
  let corner: Point = { x: 0, y: 0 }

  const place = (event: MouseEvent): Point => ({ x: event.clientX - corner.x, y: event.clientY - corner.y })

  function locate(): void {
    const { left, top } = screen.getBoundingClientRect()
    corner = { x: left, y: top }
  }

  function down(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button > 0) return
    if (pointers.size === 0) {
      dragged = false
      swing = { x: 0, y: 0, at: event.timeStamp }
      locate()
      began = place(event)
    }
    look.hold()
    pointers.set(event.pointerId, place(event))
    look.held = pointers.size
    if (pointers.size > 1) take()
  }

  /** From now on it is no touch of a cell any more. */
  function take(): void {
    dragged = true
    look.aim = 'hand'
    for (const id of pointers.keys()) screen.setPointerCapture(id)
    ontake()
  }

  function move(event: PointerEvent): void {
    const from = pointers.get(event.pointerId)
    if (!from) return
    const to = place(event)
    if (!dragged) {
      if (Math.hypot(to.x - began.x, to.y - began.y) < DRAG) return
      take()
    }
    const old = [...pointers.values()]
    pointers.set(event.pointerId, to)
    const now = [...pointers.values()]
    if (now.length === 1) {
      const [dx, dy, time] = [to.x - from.x, to.y - from.y, Math.max(1, event.timeStamp - swing.at)]
      swing = { x: (swing.x + dx / time) / 2, y: (swing.y + dy / time) / 2, at: event.timeStamp }
      look.pan(dx, dy)
    } else look.pinch([old[0]!, old[1]!], [now[0]!, now[1]!])
  }

  function release(event: PointerEvent): boolean {
    const found = pointers.delete(event.pointerId)
    look.held = pointers.size
    return found
  }

  /** What is let go while it moves comes to rest a little farther on. */
  function up(event: PointerEvent): void {
    if (!release(event) || !dragged || pointers.size > 0 || event.pointerType !== 'touch' || look.still) return
    const speed = Math.hypot(swing.x, swing.y)
    if (event.timeStamp - swing.at > 60 || speed < 0.25) return
    const reach = Math.min(150, 260 / speed)
    look.pan(swing.x * reach, swing.y * reach, true)
  }

  /** Let go outside, it would seem held for ever. */
  function leave(event: PointerEvent): void {
    if (!dragged) release(event)
  }

  /** A drag ends with a click that nobody means. */
  function click(event: MouseEvent): void {
    if (!dragged || event.detail === 0) return
    event.stopPropagation()
    event.preventDefault()
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault()
    look.hold()
    if (pointers.size === 0) locate()
    const lines = event.deltaMode === 1 ? 18 : 1
    // A pinch on a touchpad is told as a wheel with Control, in smaller steps.
    look.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), place(event))
  }

  const over = new AbortController()
  const { signal } = over
  screen.addEventListener('pointerdown', down, { signal })
  screen.addEventListener('pointermove', move, { signal })
  screen.addEventListener('pointerup', up, { signal })
  screen.addEventListener('pointercancel', up, { signal })
  screen.addEventListener('pointerleave', leave, { signal })
  // Svelte's own listeners to wheels are passive.
  screen.addEventListener('wheel', wheel, { passive: false, signal })
  screen.addEventListener('click', click, { capture: true, signal })
  return { destroy: () => over.abort() }
}
