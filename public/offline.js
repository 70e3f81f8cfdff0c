/*
 * On the offline page: opens the page that was asked for as soon as the portal can be reached again. Some devices report
 * a network late or not at all, so the portal is asked every few seconds too.
 */
const ASK_MS = 5_000

const leave = () => location.reload()

addEventListener('online', leave)
setInterval(() => {
  fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok && leave(),
    () => undefined,
  )
}, ASK_MS)
