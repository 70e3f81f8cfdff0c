/** The offline page is fetched when everything else has arrived: it does not slow down a first visit. */
export function registerOfflineWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const register = () => {
    navigator.serviceWorker.register('/sw.js').catch(() => {
      // Private windows and full disks refuse it; the portal works without.
    })
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
