import { mount } from 'svelte'
import '../src/styles/fonts.css'
import '../src/styles/tokens.css'
import '../src/styles/base.css'
import Art from './Art.svelte'
if (location.hash.includes('dark')) document.documentElement.dataset.theme = 'dark'
mount(Art, { target: document.getElementById('app')! })
