import { createStore, useStore } from '#client/store.ts'

export const VISITS_STORAGE_KEY = 'visits'

/** The visits of this device, as they are stored. `aside_ms` is when the hint was dismissed. */
export type Visits = { count: number; last_ms: number; aside_ms: number }

/** What Chromium sends where the site can be installed; iOS sends nothing and has a menu for it. */
export type InstallOffer = { prompt: () => Promise<unknown> } | 'ios'

export const offerStore = createStore<InstallOffer | null>(null)

/** How the site can be put on the home screen; null where it cannot, or should not be offered. */
export const useInstallOffer = () => useStore(offerStore)
