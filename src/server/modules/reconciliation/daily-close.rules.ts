import { isDeepStrictEqual } from 'node:util'
import type { CloseFigures, CloseStatus } from '#contract/operator/daily-closes.ts'

/** Beside the figures, what makes a close doubtful however well they agree. */
export type CloseDoubts = {
  /** Rows of the bank's list that could not be parsed. */
  unreadableRows: number
  /** Transfers that were put aside without a reason. */
  withoutReason: number
}

const MEANINGS = {
  'bank-more': 'the bank lists more transfers than we know',
  'bank-less': 'we know more transfers than the bank lists',
  'bank-amounts': 'as many transfers as the bank lists, of other amounts',
  'bank-outgoing': 'the bank lists other outgoing transfers than we know',
  'bank-unreadable': 'rows of the bank’s list could not be read',
  untold: 'a transfer has no payment event with its amount',
  'without-reason': 'a transfer was put aside without a reason',
  unaccounted: 'what arrived is not the sum of what became of it',
  coins: 'the ledger gave other TCoin than the credits at their rates',
  orders: 'orders and direct credits are not what the ledger gave',
  'open-events': 'events that nothing has been decided about',
}

export type Difference = keyof typeof MEANINGS

/** What does not agree. Without a statement the bank is not compared: its figures are null. */
export function differencesOf(figures: CloseFigures, doubts: CloseDoubts): Difference[] {
  const { arrived_vnd, arrived_count } = figures
  const outcomes = figures.credited_vnd + figures.review_vnd + figures.refunded_vnd + figures.ignored_vnd
  const checks: [Difference, boolean][] = [
    ['bank-more', figures.bank_in_count !== null && figures.bank_in_count > arrived_count],
    ['bank-less', figures.bank_in_count !== null && figures.bank_in_count < arrived_count],
    ['bank-amounts', figures.bank_in_count === arrived_count && figures.bank_in_vnd !== arrived_vnd],
    ['bank-outgoing', figures.bank_out_vnd !== null && figures.bank_out_vnd !== figures.left_vnd],
    ['bank-unreadable', doubts.unreadableRows > 0],
    ['untold', figures.told_vnd !== arrived_vnd],
    ['without-reason', doubts.withoutReason > 0],
    ['unaccounted', outcomes !== arrived_vnd],
    ['coins', figures.due_coins !== figures.ledger_coins],
    ['orders', figures.order_coins + figures.direct_coins !== figures.ledger_coins],
    ['open-events', figures.open_events > 0],
  ]
  return checks.flatMap(([difference, isThere]) => (isThere ? [difference] : []))
}

/** As the database computes it for what is stored: without a list of the bank a day that agrees is not compared. */
export function statusOf(figures: CloseFigures, differences: readonly Difference[]): CloseStatus {
  if (differences.length > 0) return 'red'
  return figures.bank_in_count === null ? 'not-compared' : 'green'
}

export const meaningOf = (difference: Difference): string => MEANINGS[difference]

export type MadeClose = { accountNumber: string; figures: CloseFigures; differences: readonly string[] }

/** Whether a close made anew has the figures and differences of the present one. */
export function isSameClose(a: MadeClose, b: MadeClose): boolean {
  return isDeepStrictEqual([a.figures, a.differences], [b.figures, b.differences])
}
