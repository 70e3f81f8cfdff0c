import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { createStore, useStore } from '#client/store.ts'
import { outcomeCopy as copy } from '#web/parts/outcomes/outcomes.copy.ts'

export type DialogKind = 'failure' | 'success' | 'warning'

export const DIALOG_TITLES: Record<DialogKind, string> = {
  failure: copy.failureTitle,
  success: copy.successTitle,
  warning: copy.warningTitle,
}

/** What is still under way while the dialog is open; the dialog follows it. */
export type Live = { kind: 'purchase'; receipt: DeliveryReceipt }

export type Announcement = {
  kind: DialogKind
  lines: readonly string[]
  /** What to do next, a button beside the one that closes. */
  action?: { label: string; run: () => void }
  live?: Live
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
