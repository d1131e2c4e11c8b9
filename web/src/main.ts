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

showTheme()
// A table is asked for while the words are on their way.
if (router.route.page === 'table') prefetch(router.route.table)
await texts.use(settings.language)
mount(App, { target: document.getElementById('app')! })
