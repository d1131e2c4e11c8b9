/**
 * A browser that translates the page puts `<font>` in the place of our texts, and what we write there afterwards is not
 * seen. All but the rules say `translate="no"`; where a tool translates all the same, our texts come back, and the page
 * says why its words stay as they are (`LaterNotices.svelte`). Loaded some time after the page.
 */

/** How often a text is put back as it is. Then the tool has its way, until there is something new to say: the page must
 * not be busy with nothing else. */
const ENOUGH = 5

/** How often each text was replaced since it said something new, and by what in the end. */
const insisted = new WeakMap<Node, { times: number; by: ChildNode }>()

export const translated = $state({
  seen: false,
  /** Whether a tool had its way: what stands on the page may be old by then. */
  old: false,
})
const say = (): void => void (translated.seen = true)

/** What stands in the place of a removed text. */
function put(text: MutationRecord, all: MutationRecord[]): ChildNode | undefined {
  const { target, addedNodes, previousSibling, nextSibling } = text
  const same = all.filter((one) => one.target === target && one.previousSibling === previousSibling)
  const later = same.flatMap((one) => [...one.addedNodes])
  return [...addedNodes, previousSibling, nextSibling, ...later].find(
    (node): node is ChildNode => node?.nodeName === 'FONT' && node.parentNode === target,
  )
}

new MutationObserver((changes) => {
  for (const change of changes)
    for (const text of change.removedNodes) {
      if (text.nodeType !== Node.TEXT_NODE) continue
      const by = put(change, changes)
      const times = (insisted.get(text)?.times ?? 0) + 1
      if (!by || change.target.parentElement?.closest('[translate=yes]')) continue
      say()
      insisted.set(text, { times, by })
      if (times <= ENOUGH) by.replaceWith(text)
      else {
        translated.old = true
        changed.observe(text, { characterData: true })
      }
    }
}).observe(document.body, { childList: true, subtree: true })

/** A text says something new that nobody sees: it comes back once more. */
const changed = new MutationObserver((changes) => {
  for (const { target: text } of changes) {
    if (!text.parentNode) insisted.get(text)?.by.replaceWith(text)
    insisted.delete(text)
  }
})

const marked = (): void => {
  if (/\btranslated-/.test(document.documentElement.className)) say()
}
new MutationObserver(marked).observe(document.documentElement, { attributeFilter: ['class'] })
marked()
