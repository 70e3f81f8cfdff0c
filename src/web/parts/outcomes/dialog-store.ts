import { createStore, useStore } from '#web/store.ts'

export type DialogKind = 'failure' | 'success' | 'warning'

export type Announcement = {
  kind: DialogKind
  lines: readonly string[]
  /** A way on, offered beside the button that only closes. */
  way?: { label: string; follow: () => void }
}

const dialogStore = createStore<readonly Announcement[]>([])

export const useAnnouncement = () => useStore(dialogStore)[0] ?? null

/** Announcements wait in line: each is read before the next one shows. */
export function announce(announcement: Announcement): void {
  dialogStore.set([...dialogStore.get(), announcement])
}

export function dismissAnnouncement(): void {
  dialogStore.set(dialogStore.get().slice(1))
}
