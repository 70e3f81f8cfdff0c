export type MomentStep = {
  name: string
  /** When it was done, ready to show. */
  at: string | null
  state: 'done' | 'now' | 'later' | 'failed'
}

/** Where a payment or a purchase stands: one value, which the live dialog and the receipt both show. */
export type Moment = {
  phase: 'waiting' | 'review' | 'sending' | 'staff' | 'partial' | 'done' | 'refunded' | 'closed'
  title: string
  text: string
  steps: readonly MomentStep[]
  /** What the stamp says; none while it is not, or not well, over. */
  stamp: string | null
}

/** The titles that message dialogs have, as far as they are true of the phase. */
export const DIALOG_KINDS: Record<Moment['phase'], 'success' | 'warning' | 'failure'> = {
  waiting: 'success',
  review: 'warning',
  sending: 'success',
  staff: 'warning',
  partial: 'warning',
  done: 'success',
  refunded: 'failure',
  closed: 'warning',
}
