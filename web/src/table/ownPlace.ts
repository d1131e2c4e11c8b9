import { keep } from '../lib/kept'

/** Remembers how high what is one's own is on the first page: the next time its place is kept until it comes (`Home.svelte`). */
export function ownPlace(section: HTMLElement): { destroy(): void } {
  const place = section.parentElement!
  const size = new ResizeObserver(() => {
    const last = place.lastElementChild!
    const end = last.getBoundingClientRect().bottom + (parseFloat(getComputedStyle(last).marginBottom) || 0)
    keep('ziggurat.own', Math.round(end - place.getBoundingClientRect().top))
  })
  size.observe(section)
  return { destroy: () => size.disconnect() }
}
