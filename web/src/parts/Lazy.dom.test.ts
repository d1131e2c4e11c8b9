import { afterEach, expect, test, vi } from 'vitest'
import { connection } from '../lib/connection.svelte'
import { show } from '../testing/part'
import { until, words } from '../testing/page'
import { speak } from '../testing/words'
import Lazy from './Lazy.svelte'
import SpriteIcon from './SpriteIcon.svelte'

type Part = { default: typeof SpriteIcon }
const come = (): Promise<Part> => Promise.resolve({ default: SpriteIcon })

/** A server that cannot be reached until it is let through, and a part that comes only then. */
function late(): { load: () => Promise<Part>; through: () => void } {
  let there = false
  let through = (): void => {}
  vi.spyOn(document, 'scripts', 'get').mockReturnValue([{ src: '' }] as never)
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

afterEach(() => {
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
