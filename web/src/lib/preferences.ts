/** Changing what is remembered, and making it seen at once. */
import { api } from './api'
import { texts } from './i18n.svelte'
import { settings, type Language, type Theme } from './settings.svelte'

const dark = matchMedia('(prefers-color-scheme: dark)')

export function showTheme(): void {
  const theme = settings.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : settings.theme
  document.documentElement.dataset.theme = theme
  document.documentElement.dataset.speed = String(settings.speed)
}

dark.addEventListener('change', showTheme)

export function changeTheme(theme: Theme): void {
  settings.theme = theme
  settings.save()
  showTheme()
}

export function changeSpeed(speed: number): void {
  settings.speed = speed
  settings.save()
  showTheme()
}

/** Chooses a language here and tells the server, so that another device of the same person speaks it too. */
export async function choose(language: Language): Promise<void> {
  settings.language = language
  settings.save()
  await texts.use(language)
  await tellLanguage()
}

/** A person who sits at a table is known to the server, and so is the language that they read. */
export async function tellLanguage(): Promise<void> {
  const me = await api.me().catch(() => null)
  const { language } = settings
  if (me && me.id !== null && me.language !== language) await api.saveMe({ language }).catch(() => undefined)
}
