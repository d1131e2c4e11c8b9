import { flushSync } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { connection } from '../lib/connection.svelte'
import { Refused } from '../lib/refused'
import { show } from '../testing/part'
import { all, until, words } from '../testing/page'
import { speak } from '../testing/words'
import Lazy from './Lazy.svelte'
import Notices from '../pages/Notices.svelte'
import SpriteIcon from './SpriteIcon.svelte'

type Part = { default: typeof SpriteIcon }
const come = (): Promise<Part> => Promise.resolve({ default: SpriteIcon })

/** A server that cannot be reached until it is let through, and a part that comes only then. */
function late(): { load: () => Promise<Part>; through: () => void } {
  let there = false
  let through = (): void => {}
  const reached = new Promise<Response>((resolve) => {
    through = () => {
      there = true
      resolve(new Response(''))
    }
  })
  vi.stubGlobal('fetch', () => reached)
  const load = (): Promise<Part> => (there ? come() : Promise.reject(new TypeError('Failed to fetch')))
  return { load, through }
}

const OURS = '<script type="module" src="./assets/shell-1.js"></script>'
let over = false
const gone = (): Promise<Part> =>
  over ? come() : Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

/** A page of ours whose server answers with some page, or not at all; an extension has put its script first. */
function served(page: () => string | null, came: NavigationTimingType = 'navigate'): { reloads: number } {
  const told = { reloads: 0 }
  over = false
  vi.useFakeTimers()
  document.head.prepend(Object.assign(document.createElement('script'), { type: 'extension', src: '' }))
  connection.own = 'https://games.example/assets/shell-1.js'
  vi.spyOn(location, 'reload').mockImplementation(() => void told.reloads++)
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: came } as PerformanceNavigationTiming])
  vi.stubGlobal('fetch', () => {
    const text = page()
    return text === null ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(new Response(text))
  })
  show(Notices, { begin() {} })
  return told
}
/** What the page says, after so many seconds. */
async function after(seconds: number): Promise<string> {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  flushSync()
  return words(document.querySelector('[role=alert]'))
}

afterEach(async () => {
  if (vi.isFakeTimers()) {
    over = true
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(OURS)))
    await vi.advanceTimersByTimeAsync(20_000)
    vi.useRealTimers()
  }
  document.head.querySelector('[type=extension]')?.remove()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  { what: 'a part that somebody wants', given: {}, missed: 1 },
  { what: 'an ornament, which nobody misses', given: { quietly: true }, missed: 0 },
])('$what comes late', async ({ given, missed }) => {
  const { load, through } = late()
  const place = show(Lazy, { load, id: 'tower', ...given })
  await new Promise((go) => setTimeout(go))
  expect(connection.waiting).toBe(missed)
  expect(place.querySelector('use')).toBeNull()
  through()
  await until(() => place.querySelector('use[href="#tower"]'))
  expect(connection.waiting).toBe(0)
})

test('only a whole page says that it is coming, and why it does not', async () => {
  await speak('en')
  const never = (): Promise<Part> => new Promise(() => {})
  expect(words(show(Lazy, { load: never, id: 'tower' }))).toBe('')
  expect(words(show(Lazy, { load: never, id: 'tower', page: true }))).not.toBe('')
})

test('a part that is gone, of the page that the server has, is told as that, and loads nothing anew', async () => {
  await speak('en')
  let here: string | null = OURS
  const told = served(() => here)
  let load = gone
  const place = show(Lazy, { load: () => load(), id: 'tower' })
  expect(await after(20)).toContain('A part of this page is gone')
  expect(told.reloads).toBe(0)
  all('button', 'Try again')[0]!.click()
  expect(told.reloads).toBe(1)
  // A server that goes meanwhile is another matter.
  here = null
  expect(await after(10)).toContain('The server cannot be reached')
  all('button', 'Try again')[0]!.click()
  expect(told.reloads).toBe(1)
  here = OURS
  load = come
  expect(await after(10)).toBe('')
  expect(place.querySelector('use[href="#tower"]')).not.toBeNull()
})

test('what the server refuses for a while is no part that is gone', async () => {
  await speak('en')
  served(() => OURS)
  const busy = new Refused({ title: '', status: 503, detail: '' })
  void connection.sure(() => (over ? come() : Promise.reject(busy)))
  expect(await after(20)).toContain('The server cannot be reached')
})

test.each([
  { came: 'navigate' as const, ago: 10, reloads: 1 },
  { came: 'back_forward' as const, ago: 10, reloads: 1 },
  { came: 'reload' as const, ago: 10, reloads: 0 },
  { came: 'reload' as const, ago: 3600, reloads: 1 },
])('another version is loaded once, and not right after a reload: $came, $ago s', async ({ came, ago, reloads }) => {
  await speak('en')
  vi.stubGlobal('sessionStorage', null)
  const told = served(() => OURS.replace('-1', '-2'), came)
  vi.spyOn(performance, 'now').mockReturnValue(ago * 1000)
  show(Lazy, { load: gone, id: 'tower' })
  expect(await after(60)).toContain('A part of this page is gone')
  expect(told.reloads).toBe(reloads)
})
