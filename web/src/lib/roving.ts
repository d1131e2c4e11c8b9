/**
 * One stop for the Tab key, arrows within: the buttons of a grid are reached by where they lie on the screen.
 * Use as an action on the element that holds them.
 */
export function roving(node: HTMLElement): { destroy(): void } {
  const buttons = (): HTMLButtonElement[] =>
    // What is not drawn on this screen is no stop.
    [...node.querySelectorAll<HTMLButtonElement>('button')].filter((button) => button.getClientRects().length > 0)

  function one(current?: HTMLElement): void {
    const all = buttons()
    const chosen = current ?? all.find((button) => button.tabIndex === 0) ?? all[0]
    for (const button of all) {
      const index = button === chosen ? 0 : -1
      if (button.tabIndex !== index) button.tabIndex = index
    }
  }

  function focus(event: FocusEvent): void {
    if (event.target instanceof HTMLButtonElement) one(event.target)
  }

  function key(event: KeyboardEvent): void {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    const from = event.target
    if (!direction || !(from instanceof HTMLButtonElement)) return
    const next = nearest(from, buttons(), direction[0]!, direction[1]!)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  const watch = new MutationObserver(() => one())
  watch.observe(node, { childList: true, subtree: true })
  node.addEventListener('focusin', focus)
  node.addEventListener('keydown', key)
  one()
  node.dataset.arrows = ''
  return {
    destroy() {
      watch.disconnect()
      node.removeEventListener('focusin', focus)
      node.removeEventListener('keydown', key)
    },
  }
}

function nearest(from: HTMLElement, all: HTMLElement[], dx: number, dy: number): HTMLElement | undefined {
  const middle = (element: HTMLElement): [number, number] => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [left + width / 2, top + height / 2]
  }
  const [x, y] = middle(from)
  let best: HTMLElement | undefined
  let least = Infinity
  for (const other of all) {
    if (other === from) continue
    const [ox, oy] = middle(other)
    const along = (ox - x) * dx + (oy - y) * dy
    if (along <= 4) continue
    // What lies straight ahead comes before what lies aside.
    const distance = along + 3 * Math.abs((ox - x) * dy + (oy - y) * dx)
    if (distance < least) [best, least] = [other, distance]
  }
  return best
}
