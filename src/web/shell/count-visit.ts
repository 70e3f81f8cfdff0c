import { readStored, writeStored } from '#web/browser-storage.ts'
import { VISITS_STORAGE_KEY, type Visits } from '#web/shell/install-rules.ts'

/** Called once, by the browser's entry. A first visit is told nothing of installing, and fetches nothing for it. */
export function countVisit(): void {
  if (readStored<Visits>(VISITS_STORAGE_KEY).count) {
    import('#web/shell/install.ts').then(
      ({ watchInstall }) => watchInstall(),
      () => {
        // Not counted, and not asked.
      },
    )
    return
  }
  writeStored(VISITS_STORAGE_KEY, JSON.stringify({ count: 1, last_ms: Date.now() }))
}
