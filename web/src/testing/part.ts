/** A single part of the page in a DOM without a picture. */
import { flushSync, mount, unmount, type Component } from 'svelte'
import { afterEach } from 'vitest'

let mounted: object[] = []

afterEach(async () => {
  for (const one of mounted) await unmount(one)
  mounted = []
  document.body.textContent = ''
})

/** Shows a part, and returns where it stands. */
export function show<P extends object>(part: Component<P>, props: P): HTMLElement {
  const target = document.body.appendChild(document.createElement('div'))
  mounted.push(mount(part, { target, props }))
  flushSync()
  return target
}
