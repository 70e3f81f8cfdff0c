import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../envelope.ts'
import { idFilter, listQuery, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'

/** A day on the calendar in Vietnam, `2026-11-20`. */
const dayFilter = z.iso.date()

/** What the bank says about a day, what arrived, what became of it, and what the ledger gave for it. */
export const closeFiguresSchema = z.object({
  /** The provider's list of the account; all three null where there is no statement. */
  bank_in_count: z.nullable(z.number()),
  bank_in_vnd: z.nullable(z.number()),
  bank_out_vnd: z.nullable(z.number()),
  arrived_count: z.number(),
  arrived_vnd: z.number(),
  told_vnd: z.number(),
  left_vnd: z.number(),
  credited_vnd: z.number(),
  review_vnd: z.number(),
  refunded_vnd: z.number(),
  ignored_vnd: z.number(),
  due_coins: z.number(),
  ledger_coins: z.number(),
  order_coins: z.number(),
  direct_coins: z.number(),
  open_events: z.number(),
})

/** One receiving account on one day in Vietnam. Amounts of VND and TCoin are whole numbers. */
export const operatorDailyCloseSchema = z.object({
  id: idText,
  account_number: z.string(),
  /** `2026-11-20`. */
  day: z.string(),
  /** Incremented when the result of an existing close changes. */
  revision: z.number(),
  status: z.enum(['green', 'red']),
  /** Names of what does not agree; empty when green. */
  differences: z.array(z.string()),
  ...closeFiguresSchema.shape,
  made_at: moment,
})

export const operatorDailyCloses = {
  list: endpoint('GET', '/operator/daily-closes', permitted('bank-transfers.read'), {
    summary: 'The daily closes that stand, the newest day first.',
    query: listQuery(['day'], {
      id: z.optional(oneOrMany(idFilter)),
      account_number: z.optional(z.string().check(z.maxLength(64))),
      status: z.optional(z.enum(['green', 'red'])),
      day: z.optional(dayFilter),
      from: z.optional(dayFilter),
      to: z.optional(dayFilter),
    }),
    answer: z.array(operatorDailyCloseSchema),
  }),
}

export type OperatorDailyClose = z.output<typeof operatorDailyCloseSchema>
export type CloseFigures = z.output<typeof closeFiguresSchema>
