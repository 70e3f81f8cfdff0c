import { readStored, writeStored } from '#web/browser-storage.ts'
import { VISITS_STORAGE_KEY, type Visits } from '#web/parts/install/install-offer.ts'

/**
 * Called once, by the browser's entry. On a first visit nothing is offered, and no code for it is loaded. Returns whether
 * it is the first that this device knows of.
 */
export function countVisit(): boolean {
  if (readStored<Visits>(VISITS_STORAGE_KEY).count) {
    import('#web/parts/install/install.ts').then(
      ({ watchInstall }) => watchInstall(),
      () => {
        // Without its code nothing is counted or offered.
      },
    )
    return false
  }
  writeStored(VISITS_STORAGE_KEY, JSON.stringify({ count: 1, last_ms: Date.now() }))
  return true
}
