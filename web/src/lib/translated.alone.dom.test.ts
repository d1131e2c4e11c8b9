import { expect, test } from 'vitest'
import { translated } from './translated.svelte'
import { until, words } from '../testing/page'
import { show } from '../testing/part'
import { Tape } from '../testing/tape'
import { speak } from '../testing/words'
import LaterNotices from '../pages/LaterNotices.svelte'

/** A tool that puts its own words in the place of every text below, and again of each that comes back. */
function translate(place: Element): MutationObserver {
  const over = (text: Node): void => {
    const font = document.createElement('font')
    font.appendChild(document.createElement('font')).textContent = `Übersetzt: ${text.textContent}`
    ;(text as ChildNode).replaceWith(font)
  }
  const tool = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.nodeType === Node.TEXT_NODE && node.parentNode) over(node)
  })
  tool.observe(place, { childList: true, subtree: true })
  for (const text of [...place.querySelectorAll('p')].flatMap((one) => [...one.childNodes])) over(text)
  return tool
}

/** All that waits for a change of the page has been told of it. */
const settled = (): Promise<void> => new Promise((go) => setTimeout(go))

test('a tool that translates again what comes back shows no figure that is old, and the page says what it does', async () => {
  await speak('en')
  new Tape([]).answer('GET /api/house', { message: null, maintenance: null, words: [], barred: null }).begin()
  const notices = show(LaterNotices, { begin: () => {} })
  const place = document.body.appendChild(document.createElement('section'))
  const [round, fixed] = ['Round 1', 'Market'].map((says) => {
    const text = document.createTextNode(says)
    place.appendChild(document.createElement('p')).append(text)
    return text
  })
  const tool = translate(place)
  await settled()
  expect(words(place)).toContain('Übersetzt: Market')
  for (let n = 2; n < 20; n++) {
    round!.data = `Round ${n}`
    await settled()
    expect(words(place)).toBe(`Übersetzt: Round ${n}Übersetzt: Market`)
  }
  // It had its way with what stays as it is, and nobody is busy with that any more.
  expect([fixed!.parentNode, tool.takeRecords()]).toEqual([null, []])
  expect(translated).toEqual({ seen: true, old: true })
  const notice = await until(() => notices.querySelector('[role=alert]'))
  expect(words(notice)).toMatch(/may be old.*Reload/)
  tool.disconnect()
})
