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
  /** What the game's `FlyingPiece` draws. */
  look: Record<string, unknown>
  /** The place whose content stays unseen until the piece has arrived, if the piece is that content. */
  reveals?: string
}

/** Flights of one wave leave together, a little apart; waves follow each other. */
export type Wave = Flight[]

const TRAVEL = 320
const APART = 45
const LONGEST = 3200

const places = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-place]')]
const onScreen = ({ top, left, bottom, right }: DOMRect): boolean =>
  bottom > 0 && right > 0 && top < innerHeight && left < innerWidth

/** What nobody sees yet of each place. A place may be on the page more than once: in a panel and in the strip. */
type Veils = Map<string, Animation[]>

export class Animator {
  #layer: HTMLElement
  #running = new Set<Animation>()
  /** How often it was skipped: a flight compares it with the number at its start. */
  #skips = 0

  constructor(
    private flyingPiece: Component<Record<string, unknown>>,
    private speed: () => number,
  ) {
    this.#layer = document.createElement('div')
    this.#layer.className = 'flights'
    this.#layer.setAttribute('aria-hidden', 'true')
    document.body.append(this.#layer)
    addEventListener('pointerdown', this.skip, true)
    // Where nobody looks, nothing moves, and nothing would arrive.
    document.addEventListener('visibilitychange', this.skip)
  }

  destroy(): void {
    removeEventListener('pointerdown', this.skip, true)
    document.removeEventListener('visibilitychange', this.skip)
    this.skip()
    this.#layer.remove()
  }

  get off(): boolean {
    return this.speed() === 0 || document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches
  }

  /** Where everything is now: of a place that is there twice, where it can be seen. Taken before a change too, so that a
   * piece still knows where it came from. */
  snapshot(): Map<string, DOMRect> {
    const found = new Map<string, DOMRect>()
    for (const element of places()) {
      const place = element.dataset.place!
      const rect = element.getBoundingClientRect()
      const known = found.get(place)
      const seen = rect.width > 0 && element.checkVisibility({ visibilityProperty: true })
      if (seen && (!known || (!onScreen(known) && onScreen(rect)))) found.set(place, rect)
    }
    return found
  }

  skip = (): void => {
    this.#skips += 1
    for (const animation of this.#running) animation.finish()
  }

  /** Never fails: what flies only shows what has happened already. */
  async play(read: () => Wave[], before: Map<string, DOMRect>): Promise<void> {
    try {
      await this.#play(read(), before)
    } catch (error) {
      reportError(error)
    }
  }

  async #play(waves: Wave[], before: Map<string, DOMRect>): Promise<void> {
    const skips = this.#skips
    const after = this.snapshot()
    const natural = waves.reduce((sum, wave) => sum + TRAVEL + wave.length * APART, 0)
    const pace = this.speed() * Math.max(1, natural / LONGEST)
    const veils = this.#veil(waves, (2 * natural) / pace)
    try {
      for (const wave of waves) {
        if (skips !== this.#skips) break
        await Promise.all(wave.map((flight, at) => this.#fly(flight, at, pace, before, after, veils)))
      }
    } finally {
      for (const place of veils.keys()) unveil(veils, place)
    }
  }

  /** Hides what arrives later. It ends by itself, whatever becomes of the flights. */
  #veil(waves: Wave[], duration: number): Veils {
    const veils: Veils = new Map(waves.flat().flatMap(({ reveals }) => (reveals ? [[reveals, []]] : [])))
    for (const element of places())
      veils.get(element.dataset.place!)?.push(element.animate({ opacity: [0, 0] }, { duration }))
    return veils
  }

  async #fly(
    flight: Flight,
    at: number,
    pace: number,
    before: Map<string, DOMRect>,
    after: Map<string, DOMRect>,
    veils: Veils,
  ): Promise<void> {
    const from = before.get(flight.from) ?? after.get(flight.from)
    const to = after.get(flight.to) ?? before.get(flight.to)
    if (!from || !to) return
    const box = document.createElement('div')
    box.className = 'flight'
    const size = flight.reveals ? to : from
    Object.assign(box.style, { width: `${size.width}px`, height: `${size.height}px` })
    this.#layer.append(box)
    try {
      const piece = mount(this.flyingPiece, { target: box, props: flight.look })
      const animation = box.animate([frame(from, size), frame(to, size)], {
        duration: TRAVEL / pace,
        delay: (at * APART) / pace,
        easing: 'cubic-bezier(.3,.1,.2,1)',
        fill: 'both',
      })
      this.#running.add(animation)
      await animation.finished.catch(() => undefined)
      this.#running.delete(animation)
      void unmount(piece)
    } finally {
      box.remove()
    }
    if (flight.reveals) unveil(veils, flight.reveals)
  }
}

function unveil(veils: Veils, place: string): void {
  for (const veil of veils.get(place) ?? []) veil.cancel()
}

/** The box of `size`, centred on a rectangle and scaled to fit it. */
function frame(rect: DOMRect, size: DOMRect): Keyframe {
  const scale = Math.min(rect.width / size.width, rect.height / size.height, 1.6)
  const x = rect.left + rect.width / 2 - size.width / 2
  const y = rect.top + rect.height / 2 - size.height / 2
  return { transform: `translate(${x}px, ${y}px) scale(${Math.max(scale, 0.12)})` }
}
