import type { DialogKind } from '#web/parts/outcomes/announce.ts'

export const progressCopy = {
  steps: 'Diễn biến',
  lost: 'Mất kết nối với máy chủ, đang thử lại…',
  fileName: 'khoe-thanh-tich.png',
} as const

export type ProgressStep = {
  name: string
  /** When it was done, ready to show. */
  at: string | null
  state: 'done' | 'now' | 'later' | 'failed'
}

/** The state of a payment or a purchase, as dialogs and receipts show it. */
export type Progress = {
  phase: 'waiting' | 'review' | 'sending' | 'staff' | 'sent' | 'partial' | 'done' | 'refunded' | 'closed'
  title: string
  text: string
  steps: readonly ProgressStep[]
  /** The text of the stamp; null unless it was completed. */
  stamp: string | null
}

/** The kind of dialog for each phase. */
export const DIALOG_KINDS: Record<Progress['phase'], DialogKind> = {
  waiting: 'success',
  review: 'warning',
  sending: 'success',
  staff: 'warning',
  sent: 'success',
  partial: 'warning',
  done: 'success',
  refunded: 'failure',
  closed: 'warning',
}
