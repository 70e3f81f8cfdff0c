import { isDeepStrictEqual } from 'node:util'
import type { CloseFigures, CloseStatus } from '#contract/operator/daily-closes.ts'
import { vietnamDay, vietnamDayBounds } from '#server/platform/values/vietnam-time.rules.ts'

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

/** As the database computes it for what is stored: without a statement a day that agrees is not compared, if it had money. */
export function statusOf(figures: CloseFigures, differences: readonly Difference[]): CloseStatus {
  if (differences.length > 0) return 'red'
  if (figures.bank_in_count !== null) return 'green'
  return figures.arrived_count === 0 && figures.left_vnd === 0 && figures.open_events === 0
    ? 'empty'
    : 'not-compared'
}

export const meaningOf = (difference: Difference): string => MEANINGS[difference]

export type MadeClose = { accountNumber: string; figures: CloseFigures; differences: readonly string[] }

/** Whether a new close has the figures and differences of the present one. */
export function isSameClose(a: MadeClose, b: MadeClose): boolean {
  return isDeepStrictEqual([a.figures, a.differences], [b.figures, b.differences])
}

const DAY_MS = 24 * 60 * 60 * 1000

/** A day on the calendar in Vietnam, `2026-11-20`. */
export type Day = string

export const isDay = (text: string): boolean => vietnamDayBounds(text) !== undefined

export const dayOf = (moment: Date): Day => vietnamDay(moment)

/** From its first moment to that of the next day, which belongs to it no more. */
export function dayBounds(day: Day): { since: Date; until: Date } {
  const bounds = vietnamDayBounds(day)
  if (bounds === undefined) throw new RangeError(`${day} is no day`)
  return { since: bounds.start, until: bounds.end }
}

export function dayBefore(moment: Date): Day {
  return dayOf(new Date(moment.getTime() - DAY_MS))
}

/** The next time a clock in Vietnam shows that many minutes past midnight. */
export function nextAt(moment: Date, minutes: number): Date {
  const today = dayBounds(dayOf(moment)).since.getTime() + minutes * 60_000
  return new Date(today > moment.getTime() ? today : today + DAY_MS)
}

const FIRST_READING_DAYS = 3
const READING_DAYS_MAX = 31

/** From where on a list is read: three days back, and after a long silence as far as it was read, a month at most. */
export function readFrom(now: Date, readAt: Date | null): Date {
  const usual = now.getTime() - FIRST_READING_DAYS * DAY_MS
  const needed = readAt === null ? usual : Math.min(usual, readAt.getTime() - DAY_MS)
  return new Date(Math.max(needed, now.getTime() - READING_DAYS_MAX * DAY_MS))
}

/** A notification may be on its way while the list is read; what is older than this should have come. */
export const NOTIFICATION_GRACE_MS = 120_000

export const isOverdue = (bookedAt: Date | null, now: Date): boolean =>
  bookedAt !== null && now.getTime() - bookedAt.getTime() > NOTIFICATION_GRACE_MS

type ListRow = { event: { direction: 'in' | 'out'; amountVnd: number; providerEventId: string } }

/** What is stored of a row of a statement, to compare it with ours. `ref` only of a file, whose rows have no id of a provider. */
type ListedRow = { id: string; direction: 'in' | 'out'; amount: number; ref?: string | null }

export const listedRows = (rows: readonly ListRow[]): ListedRow[] =>
  rows.map(({ event: { providerEventId: id, direction, amountVnd: amount } }) => ({ id, direction, amount }))

/** The figures of the day a list was read for. */
export function figuresOf({
  rows,
  unreadable,
}: {
  rows: readonly ListRow[]
  unreadable: readonly unknown[]
}) {
  const figures = { in_count: 0, in_vnd: 0, out_count: 0, out_vnd: 0, unreadable: unreadable.length }
  for (const { event } of rows) {
    figures[`${event.direction}_count`] += 1
    figures[`${event.direction}_vnd`] += event.amountVnd
  }
  return figures
}

/** Ids are numbers as long as a bank's; compared as such, stored as text. */
export function furthestId(before: string | null, rows: readonly ListRow[]): string | null {
  let furthest = before
  for (const { event } of rows) {
    if (!/^\d+$/.test(event.providerEventId)) continue
    if (furthest === null || BigInt(event.providerEventId) > BigInt(furthest))
      furthest = event.providerEventId
  }
  return furthest
}
