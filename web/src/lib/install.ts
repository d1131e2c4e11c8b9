/**
 * What makes the page installable: its manifest, and the worker that says so when there is no connection. Nobody needs
 * it before they have moved, so it waits until then, and until nothing else has to be done.
 */
function link(rel: string, href: string): void {
  document.head.append(Object.assign(document.createElement('link'), { rel, href }))
}

const idle = 'requestIdleCallback' in window ? requestIdleCallback : setTimeout

idle(() => {
  link('manifest', './manifest.webmanifest')
  link('apple-touch-icon', './icon-192.png')
  // On https and localhost alone; without it everything works but the page that says that there is no connection.
  void navigator.serviceWorker?.register('./sw.js').catch(() => undefined)
})

// oxlint-disable-next-line unicorn/require-module-specifiers -- makes a module of it
export {}
