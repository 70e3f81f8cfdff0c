import { createStore, useStore } from '#client/store.ts'

export type DialogKind = 'failure' | 'success' | 'warning'

export type Announcement = {
  kind: DialogKind
  lines: readonly string[]
  /** What to do next, a button beside the one that closes. */
  action?: { label: string; run: () => void }
}

const dialogStore = createStore<readonly Announcement[]>([])

export const useAnnouncement = () => useStore(dialogStore)[0] ?? null

/** Announcements are queued: each is dismissed before the next one shows. */
export function announce(announcement: Announcement): void {
  dialogStore.set([...dialogStore.get(), announcement])
}

export function dismissAnnouncement(): void {
  dialogStore.set(dialogStore.get().slice(1))
}
