import { readStored, writeStored } from '#web/browser-storage.ts'
import { offerStore, type InstallOffer } from '#web/shell/install-offer.ts'
import {
  mayHint,
  VISITS_STORAGE_KEY as STORAGE_KEY,
  withVisit,
  type Visits,
} from '#web/shell/install-rules.ts'

/** Counts this visit, and waits for the browser's offer. */
export function watchInstall(): void {
  const visits = withVisit(readStored<Visits>(STORAGE_KEY), Date.now())
  writeStored(STORAGE_KEY, JSON.stringify(visits))
  if (!mayHint(visits, Date.now()) || matchMedia('(display-mode: standalone)').matches) return
  if (document.documentElement.dataset.device === 'ios') offerStore.set('ios')
  addEventListener('beforeinstallprompt', (event) => {
    // In place of the browser's own bar.
    event.preventDefault()
    offerStore.set(event as unknown as InstallOffer)
  })
  addEventListener('appinstalled', () => offerStore.set(null))
}

export function putInstallAside(): void {
  const visits = withVisit(readStored<Visits>(STORAGE_KEY), Date.now())
  writeStored(STORAGE_KEY, JSON.stringify({ ...visits, aside_ms: Date.now() }))
  offerStore.set(null)
}
