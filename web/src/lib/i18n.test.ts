import { afterEach, expect, test, vi } from 'vitest'
import { words } from './catalogue'
import { t, texts } from './i18n.svelte'

afterEach(() => vi.unstubAllGlobals())

/** Answers each request for words when it is told to. What comes later says of which file it is. */
function slow(): (which: string) => Promise<void> {
  const waiting = new Map<string, () => void>()
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('fetch', (address: string) => {
    const [, file, name] = /\/words\/(\w+)\/(\w+)\.json$/.exec(address)!
    const late = name === 'server'
    const answer = { ok: true, json: async () => (late ? { 'ui.late': file } : {}) }
    return new Promise((resolve) => waiting.set(late ? `later ${file}` : file!, () => resolve(answer)))
  })
  return async (which) => (await vi.waitUntil(() => waiting.get(which)))()
}

test('whatever comes late, the words are those of the language that was chosen last', async () => {
  const answer = slow()
  const english = texts.use('en')
  await answer('en')
  await english
  const later = words() // asked for in English, and on its way when Hungarian is chosen
  const hungarian = texts.use('hu')
  await answer('hu')
  await answer('later hu')
  await hungarian
  await answer('later en')
  await later
  expect(t('ui.late')).toBe('hu')
})

test('a language that is chosen comes with all the words that were asked for before', async () => {
  const answer = slow()
  const english = texts.use('en')
  await answer('en')
  await answer('later en')
  await english
  expect(t('ui.late')).toBe('en')
})
