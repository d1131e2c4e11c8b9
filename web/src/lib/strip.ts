/** The strip at the upper edge of every page (`Notices.svelte`), for what a page has to say that lies over nothing. */
export const strip = (): HTMLElement => document.getElementById('strip') ?? document.body

/** Shows an element in the strip, for as long as it is there. */
export function toStrip(element: HTMLElement): { destroy(): void } {
  strip().append(element)
  return { destroy: () => element.remove() }
}
