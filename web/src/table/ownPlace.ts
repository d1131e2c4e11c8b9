/** Remembers how high what is one's own is on the first page: the next time its place is kept until it comes (`Home.svelte`). */
export function ownPlace(section: HTMLElement): { destroy(): void } {
  const place = section.parentElement!
  const size = new ResizeObserver(() => {
    const last = place.lastElementChild!
    const end = last.getBoundingClientRect().bottom + (parseFloat(getComputedStyle(last).marginBottom) || 0)
    try {
      localStorage.setItem('ziggurat.own', String(Math.round(end - place.getBoundingClientRect().top)))
    } catch {
      // Private windows may refuse storage; then it comes as it comes.
    }
  })
  size.observe(section)
  return { destroy: () => size.disconnect() }
}
