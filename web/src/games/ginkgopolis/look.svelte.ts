/** How the viewer looks at the city: at as much as can be read, at all of it, or at what they have moved it to. */
import { settings } from '../../lib/settings.svelte'
import { around, clamp, fit, frame, pan, pinch, transform, zoomAt, type Box, type Camera, type Point } from './camera'
import { boxOf } from './layout'
import type { At } from './view'

/** Everything is still read easily at this zoom. */
const READABLE = { narrow: 0.6, wide: 0.5 }
/** From here the whole city is shown, if it fits; from farther away only at a wish. */
const LEGIBLE = 0.3
const NEAREST = 2
const COMFORT = 1.15
const MARGIN = 14
/** Around the whole city; the moss may lie beyond it. */
const EDGE = 9
const NARROW = 560
/** Pieces that travel have measured where they go: the city stays where it is until they are there. */
const LANDED = 700

export class Look {
  size = $state.raw({ width: 0, height: 0 })
  narrow = $derived(this.size.width < NARROW)
  /** How much larger than on a small screen everything is. */
  #grown = 1
  /** How many pointers hold the city. */
  held = 0
  /** What decides what is seen: nothing yet, the wish to see everything, or a move by hand. */
  aim: 'auto' | 'all' | 'hand' = 'auto'
  #camera: Camera = { x: 0, y: 0, z: 0 }
  #plane: HTMLElement | undefined
  /** The window, and how high the city's part of it is now and was when it was fitted; what was brought into sight since. */
  #window = ''
  #height = 0
  #fitted = 0
  #framed: At[] = []
  #gliding = 0
  #sharp = 0
  #following = 0

  /**
   * @param bounds of the whole city
   * @param matter what has to be in sight in any case
   */
  constructor(
    readonly bounds: () => Box,
    readonly matter: () => At[],
  ) {}

  /** Looks through `screen` at `plane`, until the function that it returns is called. */
  attach(screen: HTMLElement, plane: HTMLElement): () => void {
    this.#plane = plane
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      this.#grown = parseFloat(getComputedStyle(document.documentElement).fontSize) / 15
      this.size = { width, height }
      const old = this.#window
      this.#window = `${innerWidth} ${innerHeight} ${width}`
      this.#height = height
      if (this.#camera.z && this.aim === 'hand') this.#show(this.#camera)
      else if (this.#window !== old || height > this.#fitted || height < 0.7 * this.#fitted) this.home()
      // The bar has grown a little over its edge, and the city stays where it is.
      else this.frame(this.#framed)
    })
    watch.observe(screen)
    return () => {
      watch.disconnect()
      clearTimeout(this.#gliding)
      clearTimeout(this.#sharp)
      clearTimeout(this.#following)
    }
  }

  get still(): boolean {
    return settings.speed === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches
  }

  get #readable(): number {
    return this.narrow ? READABLE.narrow : READABLE.wide
  }

  get #limits() {
    const least = Math.min(this.#readable, fit(this.bounds(), this.size, { least: 0.1, most: 1 }, EDGE).z)
    return { least, most: NEAREST * this.#grown }
  }

  /** The one style that changes while the city moves. */
  #show(next: Camera, glide = false): void {
    const old = this.#camera
    this.#camera = clamp(next, this.bounds(), this.size)
    const plane = this.#plane
    if (!plane) return
    clearTimeout(this.#gliding)
    const smooth = glide && old.z > 0 && !this.still
    const time = smooth ? 280 / settings.speed : 0
    plane.style.transition = smooth ? `transform ${time}ms cubic-bezier(.3,.6,.3,1)` : ''
    this.#gliding = smooth ? window.setTimeout(() => (this.#gliding = 0), time) : 0
    plane.style.transform = transform(this.#camera)
    if (this.#camera.z !== old.z) {
      clearTimeout(this.#sharp)
      this.#sharp = window.setTimeout(() => this.#sharpen(plane), time + 160)
    }
  }

  /** A layer of its own keeps the pixels of its first zoom; once the zoom rests it is drawn again. */
  #sharpen(plane: HTMLElement): void {
    if (this.held > 0) return
    plane.style.willChange = 'auto'
    requestAnimationFrame(() => requestAnimationFrame(() => (plane.style.willChange = '')))
  }

  /** Takes hold of the city where it is seen, in the middle of a glide too. */
  hold(): void {
    if (!this.#gliding || !this.#plane) return
    const { a, e, f } = new DOMMatrix(getComputedStyle(this.#plane).transform)
    this.#show({ x: e, y: f, z: a })
  }

  /** As much as can be read, and what matters in any case. */
  home(glide = false): void {
    const { size } = this
    if (!size.width) return
    this.#fitted = this.#height
    this.#framed = []
    const most = COMFORT * this.#grown
    const whole = fit(this.bounds(), size, { least: 0.1, most }, EDGE)
    if (this.aim === 'all' || whole.z >= LEGIBLE) return this.#show(whole, glide)
    const least = this.#readable
    let next = fit(this.bounds(), size, { least, most }, EDGE)
    const matter = this.matter()
    if (matter.length) next = frame(next, around(matter.map(boxOf)), size, { least, most: NEAREST }, MARGIN) ?? next
    this.#show(next, glide)
  }

  /** The whole city. */
  all(): void {
    this.aim = 'all'
    this.home(true)
  }

  /** Brings cells into sight, unless the viewer is moving the city. */
  frame(at: At[]): void {
    if (at.length === 0 || !this.size.width || this.held > 0) return
    this.#framed = at
    const limits = { ...this.#limits, least: Math.min(this.#camera.z, this.#readable) }
    const next = frame(this.#camera, around(at.map(boxOf)), this.size, limits, MARGIN)
    if (next) this.#show(next, true)
  }

  /** Does something once what travels has landed. */
  follow(glance: () => void): void {
    clearTimeout(this.#following)
    this.#following = window.setTimeout(() => this.held > 0 || glance(), this.still ? 0 : LANDED)
  }

  zoom(factor: number, at: Point = { x: this.size.width / 2, y: this.size.height / 2 }, glide = false): void {
    this.aim = 'hand'
    this.#show(zoomAt(this.#camera, at, factor, this.#limits), glide)
  }

  pan(dx: number, dy: number, glide = false): void {
    this.#show(pan(this.#camera, dx, dy), glide)
  }

  pinch(from: [Point, Point], to: [Point, Point]): void {
    this.#show(pinch(this.#camera, from, to, this.#limits))
  }
}
