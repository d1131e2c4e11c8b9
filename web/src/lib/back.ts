/**
 * The way back, such as Android's gesture, closes a dialog instead of leaving the page: while it is open, it has an entry
 * of its own in the history.
 */
let opened = 0
/** Is the entry of a closed dialog being left? That takes a moment, and nothing may be entered before. */
let leaving = false
addEventListener('popstate', () => (leaving = false))

// A link that is followed in that moment is followed after it.
const wait = (event: MouseEvent): void => {
  const link = (event.target as Element).closest('a')
  if (!leaving || !link) return
  event.preventDefault()
  event.stopPropagation()
  addEventListener('popstate', () => link.click(), { once: true })
}
addEventListener('click', wait, true)

// A dialog whose link was followed is gone. The way back to its entry goes on to the page on which it lay.
addEventListener('hashchange', () => {
  if (history.state?.drawer) history.back()
})

export function closedByBack(dialog: HTMLDialogElement): () => void {
  const drawer = `${Date.now()} ${++opened}`
  const here = (): boolean => history.state?.drawer === drawer
  let entered = false
  const moved = (): void => {
    if (entered && !here()) return dialog.close()
    if (!entered && !leaving) {
      // One that takes the place of another takes its entry, too; one that lies on another has an entry of its own.
      const alone = document.querySelectorAll('dialog[open]').length === 1
      history[alone && history.state?.drawer ? 'replaceState' : 'pushState']({ drawer }, '')
    }
    entered = !leaving
  }
  moved()
  addEventListener('popstate', moved)
  return () => {
    removeEventListener('popstate', moved)
    // Not before a link that was followed has led elsewhere.
    setTimeout(() => {
      if (!here()) return
      leaving = true
      history.back()
    })
  }
}
