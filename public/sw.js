/*
 * The portal's service worker. All it does is to say so when there is no network: a page that cannot be reached is
 * answered with the offline page. It keeps no page and no answer of the API; everything else goes past it.
 */
const SHELL = 'offline-shell-3'
const OFFLINE_PAGE = '/offline.html'
const SHELL_FILES = [OFFLINE_PAGE, '/offline.css', '/offline.js', '/images/lost-ninja.svg']

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(SHELL_FILES)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      caches
        .keys()
        .then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)))),
      // The request for a page leaves at once, while the worker is still waking up.
      self.registration.navigationPreload?.enable(),
      self.clients.claim(),
    ]),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    event.respondWith(fromNetwork(event).catch(() => caches.match(OFFLINE_PAGE)))
  } else if (SHELL_FILES.includes(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(pathname)))
  }
})

/** Firefox gives the failure of its early request as an answer, which would end up in its own error page. */
async function fromNetwork(event) {
  const early = await event.preloadResponse
  if (early?.type === 'error') throw new TypeError('No network')
  return early ?? fetch(event.request)
}

/** A notice for the player, encrypted for this browser. The same one again takes the place of the first, without a sound. */
self.addEventListener('push', (event) => {
  const { tag, title, text, href } = event.data.json()
  event.waitUntil(
    self.registration.showNotification(title, {
      body: text,
      tag,
      data: { href },
      icon: '/icons/icon-192.png',
      lang: 'vi',
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(new URL(event.notification.data.href, self.location.origin)))
})

/** In a page of the portal that is open, else in a new one. */
async function show({ href }) {
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (open === undefined) return self.clients.openWindow(href)
  await open.focus()
  return open.navigate(href)
}
