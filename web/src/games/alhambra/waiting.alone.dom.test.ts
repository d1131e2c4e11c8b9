/** What a page does for whoever waits. It remembers what was asked, so each test goes on from the one before. */
import { beforeEach, expect, test, vi } from 'vitest'
import type { AwaitedInfo, MyTurns } from '../../lib/wire'
import { settings } from '../../lib/settings.svelte'
import { all, press, settled, sit, the, until, words } from '../../testing/page'
import { tape, type Tape } from '../../testing/tape'

/** The server's clock is two hours ahead of this device's. */
const AHEAD = 7_200_000
/** What the others wait for from Ada. */
const AWAITED: Record<string, AwaitedInfo> = {
  second: { wishes: ['turn'], until: null },
  third: { wishes: ['turn', 'answer'], until: '2030-03-04T05:06:00Z' },
}
const asked: string[] = []
const badge = vi.fn<(count?: number) => Promise<void>>(async () => undefined)
let rung = 0
let hidden = false
const sounds = {
  gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
  frequency: {},
  start: () => rung++,
  stop() {},
}
const node = (): object => ({ ...sounds, connect: <T>(next: T): T => next })

beforeEach(() => {
  asked.length = rung = 0
  hidden = false
  vi.stubGlobal(
    'AudioContext',
    class {
      currentTime = 0
      resume = async (): Promise<void> => undefined
      createGain = node
      createOscillator = node
    },
  )
  Object.defineProperty(navigator, 'userActivation', { configurable: true, value: { hasBeenActive: true } })
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
  Object.assign(navigator, { setAppBadge: badge, clearAppBadge: () => badge(0) })
})

/** Ada's table, and others that wait for her. */
function opened(...others: string[]): Tape {
  const told = tape('late', 'alhambra')
  const since = new Date(Date.now() + AHEAD - 80_000).toISOString()
  const tables = others.map((id) => ({ id, game: 'alhambra', since, people: ['Zoe'], awaited: AWAITED[id]! }))
  told.answer('GET /api/turns', { tables, going: [told.table, ...others] } satisfies MyTurns)
  const { fetch } = told
  told.fetch = async (address, how) => {
    if (address.startsWith('/api')) asked.push(address)
    const response = await fetch.call(told, address, how)
    response.headers.set('Date', new Date(Date.now() + AHEAD).toUTCString())
    return response
  }
  return told
}

/** Ada moves, and the others do; what the page is called meanwhile. */
async function playARound(told: Tape): Promise<string> {
  await press(the('button', /^garden 9/))
  await press(the('button', 'Buy it'))
  await press(the('button', 'Green 8', the('region', 'Open money')))
  await press(the('button', 'Take the money'))
  await settled()
  const { title } = document
  told.happen('Béla: take green 6')
  told.happen('Cleo: take orange 3')
  await until(() => document.title.includes('●'))
  await settled()
  return title
}

test('of a newcomer nothing is asked that waits elsewhere, before the first move', async () => {
  const told = opened('second', 'third')
  await sit(told)
  for (let times = 0; times < 3; times++) document.dispatchEvent(new Event('visibilitychange'))
  await settled()
  expect(asked.filter((one) => one === '/api/turns')).toEqual([])
  expect(await playARound(told)).toBe('(2) Alhambra · Ziggurat')
  expect(asked).toContain('/api/turns')
  expect(rung).toBe(0)
})

test('tables that wait are one press away: what for, and how long by the clock of the server, or until when', async () => {
  await sit(opened('second', 'third'))
  await press((await until(() => all('button', '2 tables wait for you')))[0]!)
  const drawer = await until(() => all('dialog', '2 tables wait for you')[0])
  expect(all('link', undefined, drawer).map((one) => [one.getAttribute('href'), words(one)])).toEqual([
    ['#/table/second', 'Alhambra 1 minute ago Your turn with Zoe'],
    [
      '#/table/third',
      expect.stringMatching(/^Alhambra until Monday.*Mar.* Your turn · An answer is asked of you with Zoe$/),
    ],
  ])
  expect(badge).toHaveBeenLastCalledWith(3)
  await press(the('button', 'Close', drawer))
})

test('one that waits is a link', async () => {
  const told = opened('second')
  await sit(told)
  document.dispatchEvent(new Event('visibilitychange'))
  await until(() => all('link', '1 table waits for you').length)
  expect(the('link', '1 table waits for you').getAttribute('href')).toBe('#/table/second')
})

test.each([false, true])('it sounds for whoever looks elsewhere, if they like: %s', async (likes) => {
  settings.sound = true
  const told = opened()
  await sit(told)
  if (!likes) {
    await press(the('button', 'Settings'))
    const sound = await until(() => all('group', /^A sound/)[0])
    await press(the('radio', 'Off', sound))
    await press(the('button', 'Close'))
  }
  hidden = true
  await playARound(told)
  expect(rung > 0).toBe(likes)
})
