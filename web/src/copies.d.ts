/**
 * `Sprite.svelte?pad`: a copy of a component for a page without a board. What two chunks share would be a chunk of its own,
 * and every table would ask for one file more.
 */
declare module '*.svelte?pad' {
  import type { Component } from 'svelte'
  const component: Component<Record<string, unknown>>
  export default component
}
