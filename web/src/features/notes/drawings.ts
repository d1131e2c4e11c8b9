/** What the parts of notes have in common. */
import { MediaQuery } from 'svelte/reactivity'
import { WINDOWS } from '../../lib/windows'

/** Lucide's `pencil-line` and `lock`: for what one writes for oneself. */
export const PENCIL =
  '<path d="M13 21h8"/><path d="m15 5 4 4"/><path d="M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.830l-1.321 4.352a.5.500 0 0 0 .623.622l4.353-1.320a2 2 0 0 0 .830-.497z"/>'
export const LOCK = '<rect width="18" height="11" x="3" y="11" rx="2" ry="2"/><path d="M7 11V7a5 5 0 0 1 10 0v4"/>'

/** Whether the log stands at the side, whether the window is small, and whether it is a low one (TableTop.svelte). */
export const WIDE = new MediaQuery('(min-width: 1101px)')
export const SMALL = new MediaQuery(WINDOWS.small)
export const LYING = new MediaQuery(WINDOWS.lying)
