import { mount } from 'svelte'
import App from './App.svelte'
import { texts } from './lib/i18n.svelte'
import { prefetch } from './lib/opening'
import { showTheme } from './lib/preferences'
import { router } from './lib/router.svelte'
import { settings } from './lib/settings.svelte'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'

// A part of this version is gone when another one was installed meanwhile: begin anew, with that. Where the same version
// is there, or the server is just starting, only the connection was lost for a moment.
addEventListener('vite:preloadError', () => {
  void fetch('./', { cache: 'no-cache' })
    .then(
      async (page) => page.ok && ((await page.text()).includes(import.meta.url.split('/').pop()!) || location.reload()),
    )
    .catch(() => undefined)
})
showTheme()
// A table is asked for while the words are on their way.
if (router.route.page === 'table') prefetch(router.route.table)
await texts.use(settings.language)
mount(App, { target: document.getElementById('app')! })
