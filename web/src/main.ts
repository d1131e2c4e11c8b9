import { mount } from 'svelte'
import App from './App.svelte'
import { texts } from './lib/i18n.svelte'
import { showTheme } from './lib/preferences'
import { settings } from './lib/settings.svelte'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'

showTheme()
await texts.use(settings.language)
mount(App, { target: document.getElementById('app')! })
