import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { createStore, useStore } from '#client/store.ts'
import { showToast as show } from '#client/toasts.tsx'
import { TOAST_TEXT_MAX } from '#contract/constants.ts'

/** The sentences of the error catalogue (spec §8) that no server sends. */
export const outcomeCopy = {
  failureTitle: 'Thất bại',
  successTitle: 'Thành công',
  warningTitle: 'Cảnh báo',
  confirm: 'Xác nhận',
  defaultSuccess: 'Thực hiện thành công',
  defaultFailure: 'Có lỗi xảy ra, vui lòng thử lại',
  retry: 'Thử lại',
  notOpened: 'Chưa mở được phần này. Hãy kiểm tra mạng rồi thử lại',
  sessionExpired: 'Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại',
  activateNow: 'Kích hoạt ngay',
  rechargeNow: 'Nạp TCoin',
} as const

export type DialogKind = 'failure' | 'success' | 'warning'

export const DIALOG_TITLES: Record<DialogKind, string> = {
  failure: outcomeCopy.failureTitle,
  success: outcomeCopy.successTitle,
  warning: outcomeCopy.warningTitle,
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

/** What is shown has become something else, and with it the title. */
export function changeKind(kind: DialogKind): void {
  const [shown, ...others] = dialogStore.get()
  if (shown && shown.kind !== kind) dialogStore.set([{ ...shown, kind }, ...others])
}

/** Shows a short message for three seconds. */
export function showToast(whole: string): void {
  const { text, isCut } = cutToast(whole)
  show(text, { isCut })
}

/** The first 110 characters, by code points: a letter outside the basic plane counts as one. */
export function cutToast(text: string): { text: string; isCut: boolean } {
  const letters = Array.from(text)
  if (letters.length <= TOAST_TEXT_MAX) return { text, isCut: false }
  return { text: letters.slice(0, TOAST_TEXT_MAX).join(''), isCut: true }
}
