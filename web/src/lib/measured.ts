/** Tells how wide an element is: when the page is laid out anyway, and not before, as Svelte's bindings do. */
export const measured = (element: HTMLElement, tell: (wide: number) => void): void =>
  new ResizeObserver(([entry]) => tell(entry!.contentRect.width)).observe(element)
