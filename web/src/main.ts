import { mount, unmount } from 'svelte'
import App from './App.svelte'
import { connection } from './lib/connection.svelte'
import { texts } from './lib/i18n.svelte'
import { prefetch } from './table/prefetch'
import { showTheme } from './lib/preferences'
import { router } from './lib/router.svelte'
import { settings } from './lib/settings.svelte'
import Notices from './pages/Notices.svelte'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/utilities.css'

connection.own = import.meta.url
// A part of this version is gone when another one was installed meanwhile.
addEventListener('vite:preloadError', () => void connection.look())
addEventListener('error', connection.miss, true)
showTheme()
// A table is asked for while the words are on their way.
const {
  page,
  parts: [table, secret],
} = router.route
if (page === 'table' && table) prefetch(table, secret)
await texts.use(settings.language)
const target = document.getElementById('app')!
let app: object | null = null
function begin(): void {
  if (app) void unmount(app)
  target.textContent = ''
  app = mount(App, { target })
}
begin()
mount(Notices, { target: document.body, anchor: target, props: { begin } })
