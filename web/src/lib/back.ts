/** The way back, such as Android's gesture, closes what lies on a page instead of leaving the page. */
let opened = 0

export function closedByBack(dialog: HTMLDialogElement): () => void {
  const drawer = `${Date.now()} ${++opened}`
  const here = (): boolean => history.state?.drawer === drawer
  const close = (): void => {
    if (!here()) dialog.close()
  }
  // One that takes the place of another takes its entry, too.
  history[history.state?.drawer ? 'replaceState' : 'pushState']({ drawer }, '')
  addEventListener('popstate', close)
  return () => {
    removeEventListener('popstate', close)
    // Not before a link that was followed has led elsewhere.
    setTimeout(() => here() && history.back())
  }
}
