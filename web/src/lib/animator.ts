/**
 * Pieces travel from where they were to where they are.
 *
 * The view is the truth and appears at once; over it, ghosts of the pieces that moved fly from the place they had to the
 * place they have. A place is any element with `data-place="name"`. A game says which pieces moved, from its events.
 */
import { mount, unmount, type Component } from 'svelte'

export interface Flight {
  from: string
  to: string
  /** What the game's ghost component draws. */
  look: Record<string, unknown>
  /** The place whose content stays unseen until the piece has arrived, if the piece is that content. */
  reveals?: string
}

/** Flights of one wave leave together, a little apart; waves follow each other. */
export type Wave = Flight[]

const TRAVEL = 320
const APART = 45
const LONGEST = 3200

const places = (root: ParentNode): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[data-place]')]

export class Animator {
  #layer: HTMLElement
  #running: Animation[] = []
  #skipped = false

  constructor(
    private ghost: Component<Record<string, unknown>>,
    private speed: () => number,
  ) {
    this.#layer = document.createElement('div')
    this.#layer.className = 'flights'
    this.#layer.setAttribute('aria-hidden', 'true')
    document.body.append(this.#layer)
    addEventListener('pointerdown', this.skip, true)
  }

  destroy(): void {
    removeEventListener('pointerdown', this.skip, true)
    this.#layer.remove()
  }

  get off(): boolean {
    return this.speed() === 0 || document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches
  }

  /** Where everything is now. Taken before a change, so that a piece still knows where it came from. */
  snapshot(): Map<string, DOMRect> {
    const found = new Map<string, DOMRect>()
    for (const element of places(document)) {
      const rect = element.getBoundingClientRect()
      if (rect.width > 0) found.set(element.dataset.place!, rect)
    }
    return found
  }

  skip = (): void => {
    this.#skipped = true
    for (const animation of this.#running) animation.finish()
  }

  async play(waves: Wave[], before: Map<string, DOMRect>): Promise<void> {
    if (this.off || waves.length === 0) return
    this.#skipped = false
    const after = this.snapshot()
    const hidden = this.#hide(waves)
    const natural = waves.reduce((sum, wave) => sum + TRAVEL + wave.length * APART, 0)
    const pace = this.speed() * Math.max(1, natural / LONGEST)
    try {
      for (const wave of waves) {
        if (this.#skipped) break
        await Promise.all(wave.map((flight, at) => this.#fly(flight, at, pace, before, after, hidden)))
      }
    } finally {
      for (const element of hidden.values()) element.style.removeProperty('opacity')
    }
  }

  #hide(waves: Wave[]): Map<string, HTMLElement> {
    const hidden = new Map<string, HTMLElement>()
    const wanted = new Set(waves.flat().map((flight) => flight.reveals))
    for (const element of places(document)) {
      const place = element.dataset.place!
      if (!wanted.has(place)) continue
      element.style.opacity = '0'
      hidden.set(place, element)
    }
    return hidden
  }

  async #fly(
    flight: Flight,
    at: number,
    pace: number,
    before: Map<string, DOMRect>,
    after: Map<string, DOMRect>,
    hidden: Map<string, HTMLElement>,
  ): Promise<void> {
    const from = before.get(flight.from) ?? after.get(flight.from)
    const to = after.get(flight.to) ?? before.get(flight.to)
    if (!from || !to) return
    const box = document.createElement('div')
    box.className = 'flight'
    const size = flight.reveals ? to : from
    Object.assign(box.style, { width: `${size.width}px`, height: `${size.height}px` })
    this.#layer.append(box)
    const piece = mount(this.ghost, { target: box, props: flight.look })
    const animation = box.animate([frame(from, size), frame(to, size)], {
      duration: TRAVEL / pace,
      delay: (at * APART) / pace,
      easing: 'cubic-bezier(.3,.1,.2,1)',
      fill: 'both',
    })
    this.#running.push(animation)
    await animation.finished.catch(() => undefined)
    this.#running = this.#running.filter((one) => one !== animation)
    if (flight.reveals) hidden.get(flight.reveals)?.style.removeProperty('opacity')
    void unmount(piece)
    box.remove()
  }
}

/** The box of `size`, centred on a rectangle and scaled to fit it. */
function frame(rect: DOMRect, size: DOMRect): Keyframe {
  const scale = Math.min(rect.width / size.width, rect.height / size.height, 1.6)
  const x = rect.left + rect.width / 2 - size.width / 2
  const y = rect.top + rect.height / 2 - size.height / 2
  return { transform: `translate(${x}px, ${y}px) scale(${Math.max(scale, 0.12)})` }
}
