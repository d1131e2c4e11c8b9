/** The whole page in a DOM without a picture: what is written there, what it is to a screen reader, what a press does. */
import { computeAccessibleName, getRole } from 'dom-accessibility-api'
import { flushSync, mount, unmount } from 'svelte'
import { vi } from 'vitest'
import App from '../App.svelte'
import { texts } from '../lib/i18n.svelte'
import { settings, type Language } from '../lib/settings.svelte'
import Notices from '../pages/Notices.svelte'
import type { Tape } from './tape'

/** Milliseconds in which the slowest machine has compiled a part of the page. */
const LONG = Number(process.env.ZIGGURAT_PATIENCE ?? 60_000)
const mounted: object[] = []
/** What the page has reported to the console as a fault of its own: a test that expects some takes them out. */
export const faults: unknown[] = []

/** As in a browser, another fragment is an entry of the history without the state of the one before. */
const { get, set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(location), 'hash')!
Object.defineProperty(location, 'hash', {
  get,
  set(this: Location, to: string) {
    const before = this.hash
    set!.call(this, to)
    if (this.hash !== before) history.replaceState(null, '')
  },
})

/** Before each test (`setUp.ts`): what a browser has besides, and nothing of the test before. */
export function clear(): void {
  localStorage.clear()
  sessionStorage.clear()
  Reflect.deleteProperty(document, 'hidden') // whether anybody looks is up to each test
  vi.stubGlobal('visualViewport', null)
  vi.stubGlobal('isSecureContext', false)
  vi.stubGlobal('reportError', (fault: unknown) => faults.push(fault))
  Object.assign(settings, { theme: 'auto', speed: 0, log: true, sound: false, keys: true })
}

/** What can be pressed within one part of the page and is called as something else there: nobody who listens knows which. */
function twice(): string[] {
  const seen = new Map<string, string>()
  const found: string[] = []
  for (const one of document.querySelectorAll<HTMLElement>('main button, main a[href], main [role=button]')) {
    if (hidden(one) || one.matches(':disabled')) continue
    const part = one.closest('[role=group], section, nav, li, dialog, header, aside, tr')
    const name = nameOf(one)
    const key = `${part ? [...document.querySelectorAll('*')].indexOf(part) : ''} ${name}`
    // What is drawn for wide windows and once more for small ones is one piece.
    const place = one.dataset.place ?? one.querySelector<HTMLElement>('[data-place]')?.dataset.place ?? ''
    if (seen.has(key) && !(place && seen.get(key) === place)) found.push(name)
    seen.set(key, place)
  }
  return [...new Set(found)]
}

/** After each test. */
export async function leave(): Promise<void> {
  const names = twice()
  await close()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  if (faults.length) throw faults.splice(0)[0]
  if (names.length) throw new Error(`several are called ${names.join('; ')}`)
}

/** Closes the page. */
async function close(): Promise<void> {
  // A drawer that is still open would go back in the next test.
  history.replaceState(null, '')
  for (const one of mounted.splice(0)) await unmount(one)
  document.body.textContent = ''
}

/** Opens an address of the page, at which a recording is played. */
export async function visit(tape: Tape, hash: string, language: Language = 'en'): Promise<void> {
  await close()
  tape.begin()
  settings.language = language
  settings.save()
  const before = location.hash
  const heard = new Promise((go) => addEventListener('hashchange', go, { once: true }))
  location.hash = hash
  if (location.hash === before) dispatchEvent(new Event('hashchange'))
  await heard
  await texts.use(language)
  mounted.push(mount(App, { target: document.body }), mount(Notices, { target: document.body, props: { begin() {} } }))
}

/** Opens the table of a recording, and waits until it can be seen. */
export async function sit(tape: Tape, language: Language = 'en'): Promise<void> {
  await visit(tape, tape.address, language)
  await until(() => find('[data-testid=action-bar]') ?? find('[role=alert]'))
}

/** Waits until something holds, and returns what it is. */
export async function until<T>(found: () => T, what = ''): Promise<NonNullable<T>> {
  let turns = 0
  const end = performance.now() + LONG
  do {
    flushSync()
    const result = found()
    if (result) return result
    await new Promise((go) => setTimeout(go, turns++ < 20 ? 0 : 10)) // nearly everything is there at once
  } while (performance.now() < end)
  throw new Error(`${what || String(found)} never came; there is:\n${described()}`)
}

/** Lets all that is on its way arrive: messages, and parts of the page that come when they are needed. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 6; turns++) {
    flushSync()
    await new Promise((go) => setTimeout(go))
    if (turns % 2) await vi.dynamicImportSettled()
  }
}

/** Waits until something is there and can be pressed. */
export const coming = (role: string, name: string | RegExp = /(?:)/, within?: ParentNode): Promise<HTMLElement> =>
  until(() => all(role, name, within).find((one) => !one.matches(':disabled')), `${role} ${name}`)

/** Waits until something stands there. */
export const says = (text: string | RegExp): Promise<unknown> => until(() => matches(words(), text, true), String(text))

export const find = <E extends HTMLElement>(selector: string): E | null => document.querySelector<E>(selector)

/** Whether those who hear the page are told of something. */
const hidden = (element: Element): boolean =>
  !!element.closest('[hidden], [aria-hidden=true], [inert], dialog:not([open])')

/** What stands there to be read: without what only others see. */
export const words = (element: Element | null = document.body): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim()

export const nameOf = (element: Element): string => computeAccessibleName(element).replace(/\s+/g, ' ').trim()

const matches = (name: string, wanted: string | RegExp, part = false): boolean =>
  typeof wanted === 'string' ? (part ? name.includes(wanted) : name === wanted) : wanted.test(name)

/** Everything of a role, by its name, that is not hidden from those who listen. */
export function all(role: string, name: string | RegExp = /(?:)/, within: ParentNode = document.body): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>('*')].filter(
    (one) => getRole(one) === role && !hidden(one) && matches(nameOf(one), name),
  )
}

/** The one of a role and a name. What is there once for wide windows and once for small ones has the same name twice. */
export function the(role: string, name: string | RegExp = /(?:)/, within: ParentNode = document.body): HTMLElement {
  const found = all(role, name, within)
  const names = new Set(found.map(nameOf))
  if (names.size !== 1)
    throw new Error(`${names.size} of role ${role} are called ${name}; there is:\n${described(within)}`)
  return found[0]!
}

/** What can be pressed and read, in words, for those who look for what is missing. */
export const described = (within: ParentNode = document.body): string =>
  [...within.querySelectorAll('*')]
    .filter(
      (one) => !hidden(one) && /^(button|link|heading|alert|status|dialog|textbox|checkbox)$/.test(getRole(one) ?? ''),
    )
    .map((one) => `${getRole(one)} ${JSON.stringify(nameOf(one) || words(one))}`)
    .join('\n')

/** Presses something as a finger does, and lets come what comes of it. */
export async function press(element: HTMLElement): Promise<void> {
  if (element.closest('[inert]') || element.matches(':disabled'))
    throw new Error(`${nameOf(element)} cannot be pressed`)
  for (const type of ['pointerdown', 'pointerup'])
    element.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'mouse' }))
  element.focus()
  element.click()
  await settled()
}

/** Writes into a field. */
export async function write(field: HTMLElement, text: string): Promise<void> {
  field.focus()
  ;(field as HTMLInputElement).value = text
  // What is chosen is looked for by `:checked`, which this DOM knows of no option.
  if (field instanceof HTMLSelectElement) field.querySelector = () => field.selectedOptions[0] as never
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  await settled()
}

/** Strikes a key where the focus is. */
export async function strike(key: string, more: KeyboardEventInit = {}): Promise<void> {
  const at = document.activeElement ?? document.body
  if (
    at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })) &&
    key === 'Enter'
  )
    (at as HTMLElement).click()
  at.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true, ...more }))
  await settled()
}

/** Makes a move as a quick hand does: by the keys that things carry, one after the other, and the one that confirms. */
export async function byKeys(...things: (() => HTMLElement)[]): Promise<void> {
  await strike('Shift') // with the first key the others are there
  await until(() => keyOf(things[0]!()))
  for (const thing of things) await strike(keyOf(thing()))
  await strike('Enter')
}
export const keyOf = (element: HTMLElement): string => element.ariaKeyShortcuts ?? ''

/** What the tabulator comes to, one after the other. */
export const stops = (within: ParentNode = document.body): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]')].filter(
    (one) => !one.closest('[hidden], [inert], dialog:not([open])') && !one.matches(':disabled') && one.tabIndex >= 0,
  )

/** What the bar says, and what it offers. */
export const bar = {
  get element(): HTMLElement {
    return find('[data-testid=action-bar]')!
  },
  get says(): string {
    return [...this.element.querySelectorAll('.words > p')].map(words).filter(Boolean).join(' ')
  },
  get deeds(): string[] {
    return all('button', undefined, this.element).map(nameOf)
  },
}
