import { createStore, useStore } from '#client/store.ts'
import type * as PlayerFrame from '#web/shell/player-frame.tsx'

const frameStore = createStore<typeof PlayerFrame | null>(null)

let isRequested = false

/** The parts of the frame that players alone see; null until they are there. */
export const usePlayerFrame = () => useStore(frameStore)

/** Loads them once, in parallel with the verification of the session; visitors do not need them. */
export function loadPlayerFrame(): void {
  if (isRequested) return
  isRequested = true
  import('#web/shell/player-frame.tsx').then(frameStore.set, () => {
    // The next page, or the next login, tries again.
    isRequested = false
  })
}
