/** What is said over a page, in the strip at its upper edge (`Notices.svelte`), where it lies over nothing. */
import { mount } from 'svelte'
import Fold from './Fold.svelte'

const laid = new WeakSet<HTMLElement>()

/** The strip, with what lays it out (`Fold.svelte`). */
export function strip(): HTMLElement {
  const place = document.getElementById('strip') ?? document.body
  if (!laid.has(place)) {
    laid.add(place)
    mount(Fold, { target: place, anchor: place.firstChild ?? undefined, props: { strip: place } })
  }
  return place
}

/** Shows an element in the strip, for as long as it is there. */
export function toStrip(element: HTMLElement): { destroy(): void } {
  strip().append(element)
  return { destroy: () => element.remove() }
}
