import { createStore, useStore } from '#client/store.ts'
import { loadChunk } from '#web/load-chunk.tsx'
import type * as PlayerFrame from '#web/shell/player-frame.tsx'

type Loaded = { frame: typeof PlayerFrame | null; hasFailed: boolean }

const store = createStore<Loaded>({ frame: null, hasFailed: false })

let isRequested = false

/** The parts of the frame that players alone see; null until they are there. */
export const usePlayerFrame = () => useStore(store).frame

/** Whether they did not arrive, so that the header has to offer them again. */
export const useHasPlayerFrameFailed = () => useStore(store).hasFailed

/** Loads them once, in parallel with the verification of the session; visitors do not need them. */
export function loadPlayerFrame(): void {
  if (isRequested) return
  isRequested = true
  loadChunk(() => import('#web/shell/player-frame.tsx')).then(
    (frame) => store.set({ frame, hasFailed: false }),
    () => {
      // The next tap, page or login tries again.
      isRequested = false
      store.set({ frame: null, hasFailed: true })
    },
  )
}
