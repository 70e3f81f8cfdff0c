import type { Selectable } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { DailyClose } from '#server/platform/db/schema.gen.ts'
import type { CloseFigures, namedFigures } from './daily-close.rules.ts'

/** The figures of a close as the database hands them out, whether they were just summed up or had been stored. */
export type FigureColumns = Pick<Selectable<DailyClose>, keyof ReturnType<typeof namedFigures>>

const orNull = (text: string | null) => (text === null ? null : parseCoins(text))

export const figuresOf = (row: FigureColumns): CloseFigures => ({
  bankInCount: orNull(row.bank_in_count),
  bankInVnd: orNull(row.bank_in_vnd),
  bankOutVnd: orNull(row.bank_out_vnd),
  arrivedCount: parseCoins(row.arrived_count),
  arrivedVnd: parseCoins(row.arrived_vnd),
  toldVnd: parseCoins(row.told_vnd),
  leftVnd: parseCoins(row.left_vnd),
  creditedVnd: parseCoins(row.credited_vnd),
  reviewVnd: parseCoins(row.review_vnd),
  refundedVnd: parseCoins(row.refunded_vnd),
  ignoredVnd: parseCoins(row.ignored_vnd),
  dueCoins: parseCoins(row.due_coins),
  ledgerCoins: parseCoins(row.ledger_coins),
  orderCoins: parseCoins(row.order_coins),
  directCoins: parseCoins(row.direct_coins),
  openEvents: parseCoins(row.open_events),
})
