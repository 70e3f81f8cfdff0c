import * as z from 'zod/mini'
import { MAX_TRANSFER_VND } from './bank-event.rules.ts'

/** How an order at MoMo stands. */
export type MomoOutcome =
  | { kind: 'paid'; transId: string; amountVnd: number; paidAt: Date | null; raw: Buffer }
  /** Nothing has happened that will not change: not paid yet, or only authorised. */
  | { kind: 'pending' }
  /** It will never be paid. */
  | { kind: 'failed' }
  /** MoMo knows no such order. */
  | { kind: 'unknown-order' }
  /** It answered something that cannot be believed. */
  | { kind: 'unreadable' }

/** What can no longer become a payment. A code nobody knows counts as pending: it is asked about again. */
const FAILED = new Set([1001, 1002, 1003, 1004, 1005, 1006, 1007, 1017, 1026, 4001, 4002, 4100])
const NOT_FOUND = 42

const paid = z.object({
  orderId: z.string(),
  partnerCode: z.string(),
  amount: z.int().check(z.gte(1), z.lte(MAX_TRANSFER_VND)),
  transId: z.pipe(
    z.union([z.int().check(z.gte(1)), z.string().check(z.regex(/^[1-9]\d{0,18}$/))]),
    z.transform(String),
  ),
  responseTime: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(8_000_000_000_000)))),
})

export type MomoAnswer = { resultCode: number; answer: unknown; code: string; partnerCode: string }

/** 9000 is money that is promised and not moved: only 0 is credited. */
export function momoOutcome({ resultCode, answer, code, partnerCode }: MomoAnswer): MomoOutcome {
  if (resultCode === NOT_FOUND) return { kind: 'unknown-order' }
  if (FAILED.has(resultCode)) return { kind: 'failed' }
  if (resultCode !== 0) return { kind: 'pending' }
  const read = paid.safeParse(answer)
  if (!read.success || read.data.orderId !== code || read.data.partnerCode !== partnerCode) {
    return { kind: 'unreadable' }
  }
  const { transId, amount, responseTime } = read.data
  return {
    kind: 'paid',
    transId,
    amountVnd: amount,
    paidAt: typeof responseTime === 'number' ? new Date(responseTime) : null,
    raw: Buffer.from(JSON.stringify(answer)),
  }
}
