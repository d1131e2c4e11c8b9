/**
 * A browser that translates the page puts `<font>` in the place of our texts, and we would go on writing where nobody
 * looks. All but the rules say `translate="no"`; where somebody does it all the same, our texts come back, and the page
 * says why its words stay as they are. Loaded after the page.
 */
/** Whoever insists as often as this is left alone: the page must not be busy with nothing else. */
const ENOUGH = 5

const insisted = new WeakMap<Node, number>()

export const translated = $state({ seen: false })
const say = (): void => void (translated.seen = true)

/** What stands in the place of a removed text. */
function put(text: MutationRecord, all: MutationRecord[]): Node | undefined {
  const { target, addedNodes, previousSibling, nextSibling } = text
  const beside = all.filter((one) => one.target === target && one.previousSibling === previousSibling)
  const later = beside.flatMap((one) => [...one.addedNodes])
  return [...addedNodes, previousSibling, nextSibling, ...later].find(
    (node): node is Node => node?.nodeName === 'FONT' && node.parentNode === target,
  )
}

new MutationObserver((changes) => {
  for (const change of changes)
    for (const text of change.removedNodes) {
      if (text.nodeType !== Node.TEXT_NODE) continue
      const font = put(change, changes)
      const times = insisted.get(text) ?? 0
      if (!font || change.target.parentElement?.closest('[translate=yes]')) continue
      say()
      if (times < ENOUGH) (font as ChildNode).replaceWith(text)
      insisted.set(text, times + 1)
    }
}).observe(document.body, { childList: true, subtree: true })

const marked = (): void => {
  if (/\btranslated-/.test(document.documentElement.className)) say()
}
new MutationObserver(marked).observe(document.documentElement, { attributeFilter: ['class'] })
marked()
