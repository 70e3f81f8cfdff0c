import { createStore, useStore } from '#client/store.ts'

/** What Chromium sends where the site can be installed; iOS has a menu of its own and says nothing. */
export type InstallOffer = { prompt: () => Promise<unknown> } | 'ios'

export const offerStore = createStore<InstallOffer | null>(null)

/** How the site can be put on the home screen; null where it cannot, or should not be asked. */
export const useInstallOffer = () => useStore(offerStore)
