/** What only tables need at which people agree on something, or a clock runs: one piece that comes later. */
export { default as Agreements } from './Agreements.svelte'
export { clocksOf } from './clocks.svelte'
export { wordsOfNotes } from './notes'
export { standIns } from './standIns'
export { plea, ready } from './votes'
