/*
 * What the browser does for the page while no page is open: it shows the news that the server pushes.
 *
 * Registered by whoever wants pushes (web/src/lib/news.ts), and never on load. A push carries, sealed for this browser
 * alone: { title, body, url, tag, end?: { url, title } }.
 */

addEventListener('push', (event) => {
  const news = event.data?.json() ?? {}
  const options = { body: news.body, tag: news.tag, data: news, icon: 'favicon.svg' }
  if (news.end) options.actions = [{ action: 'end', title: news.end.title }]
  event.waitUntil(registration.showNotification(news.title ?? 'Ziggurat', options))
})

addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  const { url = '#/', end } = notification.data ?? {}
  notification.close()
  event.waitUntil(action === 'end' && end ? fetch(end.url, { method: 'POST' }) : open(new URL(url, registration.scope)))
})

/** Shows a table: in the page that has it open already, or else in a new one, so that nobody loses what they look at. */
async function open(url) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = pages.find((page) => page.url === url.href)
  await (there ? there.focus() : clients.openWindow(url))
}

// The browser has changed where pushes for it go: tell the server, which knows us by the old place.
addEventListener('pushsubscriptionchange', (event) => {
  const before = event.oldSubscription
  if (!before) return
  const renew = async () => {
    const after = event.newSubscription ?? (await registration.pushManager.subscribe(before.options))
    await fetch('/api/me/news/pushes', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...after.toJSON(), before: before.endpoint }),
    })
  }
  event.waitUntil(renew())
})
