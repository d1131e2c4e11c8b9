/** The words of the page, as whoever reads them chose. */
import { vi } from 'vitest'
import { texts } from '../lib/i18n.svelte'
import { settings, type Language } from '../lib/settings.svelte'
import { Tape } from './tape'

/** Loads the words of a language, those of a game too, without a server. */
export async function speak(language: Language = 'en', ...games: string[]): Promise<void> {
  vi.stubGlobal('fetch', (address: string) => new Tape([]).fetch(address))
  settings.language = language
  await texts.use(language)
  for (const game of games) await texts.need(game)
}
