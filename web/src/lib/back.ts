/** The way back, such as Android's gesture, closes what lies on a page instead of leaving the page. */
let opened = 0
/** Is the entry of a closed one being left? That takes a moment, and the next one must not enter before. */
let leaving = false
addEventListener('popstate', () => (leaving = false))

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
