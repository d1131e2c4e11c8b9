/*
 * What the browser does for the page while no page is open: it shows the news that the server pushes.
 *
 * Registered by whoever wants pushes (web/src/features/notifications/notifications.ts), and never on load. A push carries, sealed for this browser
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
 * Without a connection a page says so, in words that were fetched when this version came. The page itself always comes
 * from the server, and its parts have names of their own in each version, so none is mixed with another.
 *
 * One page is kept besides, and only when somebody has opened it: the pad for games with the box, which is needed where
 * nobody has a connection. What is kept of it is of this very version, all of it or nothing, and given out only when the
 * server cannot be reached; a new version keeps its own before the one before is forgotten.
 */
const KEPT = 'ziggurat %VERSION%' // filled in by web/scripts/version.mjs
const OFFLINE = 'offline.html'
const WITH_IT = ['offline.css', 'offline.js', 'favicon.svg']
const PAGE = './'
// Filled in by web/scripts/kept.mjs. Of the pad's files, what the page begins with is the first; its words are of one language.
const PAD = ['%PAD%']
const WORDS = '%FOLDER%'
const SPOKEN = ['%WORDS%']
const IS_PAD = '#/box/'

const within = (file) => new URL(file, registration.scope).href

const wordsOf = (language) => SPOKEN.map((name) => within(`${WORDS}${language}/${name}.json`))

/** Returns whether the pad opens from here without a connection, in this language. */
async function keepPad(language) {
  const kept = await caches.open(KEPT)
  const words = wordsOf(language)
  if (await kept.match(within(PAGE))) {
    if (!(await kept.match(words[0]))) await kept.addAll(words)
    return true
  }
  const page = await fetch(within(PAGE), { cache: 'no-cache' })
  // The server may have another version already, whose worker is on its way.
  if (!page.ok || !(await page.clone().text()).includes(PAD[0])) return false
  await kept.addAll([...PAD.map(within), ...words])
  await kept.put(within(PAGE), page)
  return true
}

/** In which languages the pad was kept by a version before: the folder of their words says it, or the file. */
async function hadPad() {
  const languages = new Set()
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) {
      const [, one, other] = /\/words-[\w-]+\/([a-z]+)\/|\/([a-z]{2})-[\w-]{7}\.json$/.exec(url) ?? []
      if (one ?? other) languages.add(one ?? other)
    }
  }
  return languages
}

// Not by opening what is kept: once a newer version has forgotten it, it would be there again, and empty.
const fromHere = async (address) => (await caches.match(address, { cacheName: KEPT })) ?? Response.error()

addEventListener('install', (event) => {
  const keep = async () => {
    const kept = await caches.open(KEPT)
    await kept.addAll([OFFLINE, ...WITH_IT].map((file) => new Request(file, { cache: 'no-cache' })))
    for (const language of await hadPad())
      if (!(await keepPad(language))) throw new Error('another version has come meanwhile')
    await skipWaiting() // pages come from the server, so none can be of two versions
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

addEventListener('message', (event) => {
  const { keep, language } = event.data ?? {}
  if (keep !== 'pad' || !/^[a-z]+$/.test(language)) return
  const answer = async () => (await keepPad(language).catch(() => false)) && event.source?.postMessage('pad kept')
  event.waitUntil(answer())
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname, hash } = new URL(request.url)
  if (request.mode === 'navigate' && !pathname.startsWith('/api/')) {
    const alone = async () => {
      const pad = hash.startsWith(IS_PAD) ? await fromHere(within(PAGE)) : Response.error()
      return pad.ok ? pad : fromHere(within(OFFLINE))
    }
    event.respondWith(fetch(request).catch(alone))
  } else if ([...WITH_IT, ...PAD].some((file) => within(file) === request.url) || request.url.startsWith(within(WORDS))) {
    event.respondWith(fetch(request).catch(() => fromHere(request)))
  }
})
