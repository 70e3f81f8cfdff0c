import {
  type Visits,
  offerStore,
  VISITS_STORAGE_KEY as STORAGE_KEY,
  type InstallOffer,
} from '#web/parts/install/install-offer.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'

/** Pages opened within it belong to one visit. */
const VISIT_GAP_MS = 30 * 60_000
const VISITS_MIN = 2
const DISMISSED_MS = 90 * 86_400_000

export function withVisit(known: Partial<Visits>, now_ms: number): Visits {
  const { count = 0, last_ms = 0, aside_ms = 0 } = known
  return { count: now_ms - last_ms > VISIT_GAP_MS ? count + 1 : count, last_ms: now_ms, aside_ms }
}

/** Never on a first visit, and not for a long time after it was dismissed. */
export const mayShowHint = ({ count, aside_ms }: Visits, now_ms: number): boolean =>
  count >= VISITS_MIN && now_ms - aside_ms > DISMISSED_MS

/** Counts this visit, and waits for the browser's offer. */
export function watchInstall(): void {
  const visits = withVisit(readStored<Visits>(STORAGE_KEY), Date.now())
  writeStored(STORAGE_KEY, JSON.stringify(visits))
  if (!mayShowHint(visits, Date.now()) || matchMedia('(display-mode: standalone)').matches) return
  if (document.documentElement.dataset.device === 'ios') offerStore.set('ios')
  addEventListener('beforeinstallprompt', (event) => {
    // In place of the browser's own bar.
    event.preventDefault()
    offerStore.set(event as unknown as InstallOffer)
  })
  addEventListener('appinstalled', () => offerStore.set(null))
}

export function dismissInstall(): void {
  const visits = withVisit(readStored<Visits>(STORAGE_KEY), Date.now())
  writeStored(STORAGE_KEY, JSON.stringify({ ...visits, aside_ms: Date.now() }))
  offerStore.set(null)
}
