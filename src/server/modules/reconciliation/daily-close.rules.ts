/** One receiving account on one day: what the bank says, what we know, what became of it, and what the ledger gave. */
export type CloseFigures = {
  bankInCount: number | null
  bankInVnd: number | null
  bankOutVnd: number | null
  arrivedCount: number
  arrivedVnd: number
  toldVnd: number
  leftVnd: number
  creditedVnd: number
  reviewVnd: number
  refundedVnd: number
  ignoredVnd: number
  dueCoins: number
  ledgerCoins: number
  orderCoins: number
  directCoins: number
  openEvents: number
}

/** The figures by the names they have in SQL and in the API. */
export const namedFigures = (figures: CloseFigures) => ({
  bank_in_count: figures.bankInCount,
  bank_in_vnd: figures.bankInVnd,
  bank_out_vnd: figures.bankOutVnd,
  arrived_count: figures.arrivedCount,
  arrived_vnd: figures.arrivedVnd,
  told_vnd: figures.toldVnd,
  left_vnd: figures.leftVnd,
  credited_vnd: figures.creditedVnd,
  review_vnd: figures.reviewVnd,
  refunded_vnd: figures.refundedVnd,
  ignored_vnd: figures.ignoredVnd,
  due_coins: figures.dueCoins,
  ledger_coins: figures.ledgerCoins,
  order_coins: figures.orderCoins,
  direct_coins: figures.directCoins,
  open_events: figures.openEvents,
})

/** Beside the figures, what makes a close doubtful however well they agree. */
export type CloseDoubts = {
  /** Rows of the bank's list nobody could read. */
  unreadableRows: number
  /** Transfers that were put aside without a reason. */
  withoutReason: number
}

export type Difference =
  | 'bank-more'
  | 'bank-less'
  | 'bank-amounts'
  | 'bank-outgoing'
  | 'bank-unreadable'
  | 'untold'
  | 'without-reason'
  | 'unaccounted'
  | 'coins'
  | 'orders'
  | 'open-events'

/** What does not agree. Without a statement the bank is not compared, and the close says that there is none. */
export function differencesOf(figures: CloseFigures, doubts: CloseDoubts): Difference[] {
  const { arrivedVnd, arrivedCount } = figures
  const outcomes = figures.creditedVnd + figures.reviewVnd + figures.refundedVnd + figures.ignoredVnd
  const checks: [Difference, boolean][] = [
    ['bank-more', figures.bankInCount !== null && figures.bankInCount > arrivedCount],
    ['bank-less', figures.bankInCount !== null && figures.bankInCount < arrivedCount],
    ['bank-amounts', figures.bankInCount === arrivedCount && figures.bankInVnd !== arrivedVnd],
    ['bank-outgoing', figures.bankOutVnd !== null && figures.bankOutVnd !== figures.leftVnd],
    ['bank-unreadable', doubts.unreadableRows > 0],
    ['untold', figures.toldVnd !== arrivedVnd],
    ['without-reason', doubts.withoutReason > 0],
    ['unaccounted', outcomes !== arrivedVnd],
    ['coins', figures.dueCoins !== figures.ledgerCoins],
    ['orders', figures.orderCoins + figures.directCoins !== figures.ledgerCoins],
    ['open-events', figures.openEvents > 0],
  ]
  return checks.flatMap(([difference, isThere]) => (isThere ? [difference] : []))
}

const MEANINGS: Record<Difference, string> = {
  'bank-more': 'the bank lists more transfers than we know',
  'bank-less': 'we know more transfers than the bank lists',
  'bank-amounts': 'as many transfers as the bank lists, of other amounts',
  'bank-outgoing': 'the bank lists other outgoing transfers than we know',
  'bank-unreadable': 'rows of the bank’s list could not be read',
  untold: 'a transfer stands here that no event tells of in this amount',
  'without-reason': 'a transfer was put aside without a reason',
  unaccounted: 'what arrived is not the sum of what became of it',
  coins: 'the ledger gave other TCoin than the credits at their rates',
  orders: 'orders and direct credits are not what the ledger gave',
  'open-events': 'events that nothing has been decided about',
}

export const meaningOf = (difference: Difference): string => MEANINGS[difference]

export type MadeClose = { accountNumber: string; figures: CloseFigures; differences: readonly string[] }

/** Whether a close made anew says the same as the one that stands. */
export function isSameClose(a: MadeClose, b: MadeClose): boolean {
  const names = Object.keys(a.figures) as (keyof CloseFigures)[]
  return (
    names.every((name) => a.figures[name] === b.figures[name]) &&
    a.differences.join() === b.differences.join()
  )
}
