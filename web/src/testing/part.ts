/** A single part of the page in a DOM without a picture. */
import { flushSync, mount, unmount, type Component } from 'svelte'
import { onTestFinished } from 'vitest'

// oxlint-disable-next-line typescript/no-explicit-any -- each part takes what it takes
type Props = Record<string, any>

/** Shows a part until the test is over, and returns where it stands. */
export function show<P extends Props>(part: Component<P>, props: P): HTMLElement {
  const target = document.body.appendChild(document.createElement('div'))
  const shown = mount(part as Component<Props>, { target, props })
  onTestFinished(async () => {
    await unmount(shown)
    target.remove()
  })
  flushSync()
  return target
}
