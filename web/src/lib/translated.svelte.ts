/**
 * A browser that translates the page puts `<font>` in the place of our texts, and what we write there afterwards is not
 * seen. All but the rules say `translate="no"`; where a tool translates all the same, our texts come back, and the page
 * says why its words stay as they are (`Notices.svelte`). Loaded some time after the page.
 */

/** How often a text is put back. Then the tool has its way: the page must not be busy with nothing else. */
const ENOUGH = 5

/** How often each text was replaced. */
const insisted = new WeakMap<Node, number>()

export const translated = $state({ seen: false })
const say = (): void => void (translated.seen = true)

/** What stands in the place of a removed text. */
function put(text: MutationRecord, all: MutationRecord[]): Node | undefined {
  const { target, addedNodes, previousSibling, nextSibling } = text
  const same = all.filter((one) => one.target === target && one.previousSibling === previousSibling)
  const later = same.flatMap((one) => [...one.addedNodes])
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
