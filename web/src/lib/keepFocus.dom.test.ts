import { afterEach, expect, test } from 'vitest'
import { keepFocus } from './keepFocus'

keepFocus()

const page = (html: string): void => void (document.body.innerHTML = html)
const focus = (id: string): void => document.getElementById(id)!.focus()
const gone = async (id: string): Promise<string> => {
  document.getElementById(id)!.remove()
  await new Promise((go) => setTimeout(go))
  return document.activeElement!.id
}
const struck = (): boolean => dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))
const TABLE =
  '<main><h1 id=name>A game</h1><ul id=hand><li id=one><button id=a>A</button></li><li><button id=b>B</button></li></ul>' +
  '<section id=bar data-testid=action-bar tabindex=-1><button id=yes>Yes</button></section></main>'

afterEach(() => dispatchEvent(new PointerEvent('pointerdown')))

test('where what had the focus is gone, it stays near', async () => {
  page(TABLE)
  struck()
  focus('a')
  expect(await gone('a')).toBe('b')
  expect(await gone('b')).toBe('bar')
  focus('yes')
  expect(await gone('hand')).toBe('yes')
})

test('another page begins at what is asked there, or at its heading', async () => {
  page('<main><h1>Before</h1><a id=go href="#/x">Go</a></main>')
  for (const [html, at] of [
    [TABLE, 'bar'],
    ['<main><h1 id=alone>Another page</h1></main>', 'alone'],
  ]) {
    struck()
    document.querySelector<HTMLElement>('a, button')!.focus()
    dispatchEvent(new Event('hashchange'))
    page('<main></main>')
    page(html!)
    await new Promise((go) => setTimeout(go))
    expect(document.activeElement!.id).toBe(at)
  }
})

test('whoever points at things has nothing put under their hands', async () => {
  page(TABLE)
  dispatchEvent(new PointerEvent('pointerdown'))
  focus('a')
  expect(await gone('a')).toBe('')
})
