/**
 * For whoever goes by keys the focus is always somewhere: where what had it is gone, it stays near; another page begins at
 * what is asked there, or else at its heading. It comes with what comes later: nothing that is first seen waits for it.
 */

/** What belongs together, and in which the next place is looked for; farther away is the bar. */
const TOGETHER = '[data-place], [data-arrows], [role=group], section, nav, form, ul, ol, fieldset, main, dialog'
const PRESSED = 'button, input, select, textarea, a[href], summary'

/** What had the focus last, with all that it lies in, from the inside. */
let around: Element[] = []
let byKeys = false
/** Whether another page comes, and the heading of the one before. */
let comes = false
let before: Element | null = null

const drawn = (one: Element): boolean => one.getClientRects().length > 0
const lost = (): boolean => document.activeElement === document.body
const heading = (): HTMLElement | null => document.querySelector('main h1')

function note(one: Element): void {
  if (one === document.body) return
  around = []
  for (let up: Element | null = one; up && up !== document.body; up = up.parentElement) around.push(up)
  comes = false
}

/** The next place within the smallest part that is still there. */
function near(): HTMLElement | undefined {
  for (const part of around.slice(1).filter((one) => one.isConnected)) {
    const found = [...part.querySelectorAll<HTMLElement>(PRESSED)].find(
      (one) => drawn(one) && !one.matches(':disabled'),
    )
    if (found || part.matches(TOGETHER)) return found
  }
  return undefined
}

function look(): void {
  const [was] = around
  if (!byKeys || !lost() || (was ? was.isConnected && drawn(was) : !comes)) return
  const first = heading()
  // The page before is still there.
  if (comes && first === before) return
  // A bar in which nothing is asked is not seen, and takes no focus.
  for (const one of [near(), document.querySelector<HTMLElement>('main [data-testid=action-bar]'), first]) {
    if (one === first && first) first.tabIndex = -1
    one?.focus({ preventScroll: true })
    if (!lost()) return
  }
}

let begun = false

/** Keeps it from now on, as long as keys are used; `struck`: one was, perhaps before this was here. */
export function keepFocus(struck = false): void {
  byKeys ||= struck
  if (begun) return
  begun = true
  addEventListener('keydown', () => (byKeys = true), true)
  addEventListener('pointerdown', () => (byKeys = false), true)
  addEventListener('focusin', ({ target }) => note(target as Element))
  addEventListener('hashchange', () => {
    before = heading()
    around = []
    comes = true
  })
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
  note(document.activeElement ?? document.body)
}
