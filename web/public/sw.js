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

/*
 * Without a connection a page says so, in words that were fetched when this version came. Nothing else is kept: the page
 * itself always comes from the server, and its parts have names of their own in each version, so none is mixed with
 * another.
 */
const KEPT = 'ziggurat %VERSION%' // filled in by web/scripts/version.mjs
const OFFLINE = 'offline.html'
const WITH_IT = ['offline.css', 'favicon.svg']

addEventListener('install', (event) => {
  const keep = async () => {
    const kept = await caches.open(KEPT)
    await kept.addAll([OFFLINE, ...WITH_IT].map((file) => new Request(file, { cache: 'no-cache' })))
    await skipWaiting() // no page is served from here, so none can be of two versions
  }
  event.waitUntil(keep())
})

addEventListener('activate', (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name)
    await clients.claim()
  }
  event.waitUntil(forget())
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname } = new URL(request.url)
  if (request.mode === 'navigate' && !pathname.startsWith('/api/')) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(OFFLINE)) ?? Response.error()))
  } else if (WITH_IT.some((file) => new URL(file, registration.scope).href === request.url)) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()))
  }
})
