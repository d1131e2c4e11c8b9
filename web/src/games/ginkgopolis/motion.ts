/** What travels, and how it looks: loaded after the table. */
export { flights } from './flights'
export { default as FlyingPiece } from './FlyingPiece.svelte'
