import * as z from 'zod/mini'
import { listedId } from '../bank-list.rules.ts'
import type { GatewayRefund, RefundOutcome } from '../payment-vendor.rules.ts'

const NOT_FOUND = 42
/** Final failures of a refund. Any other code may still become a success: MoMo is queried again. */
const FAILED = new Set([1001, 1002, 1004, 1007, 1026, 1080, 1081, 1088, 4001, 4002])
/** Requests that MoMo did not accept, so that there is no refund to query. 40 and 41 are not among them: the id is known there. */
const NOT_ACCEPTED = new Set([11, 12, 13, 20, 21, 22, NOT_FOUND])

const refunded = z.object({ orderId: z.string(), amount: z.int(), transId: listedId })
const listed = z.object({ orderId: z.string(), amount: z.int(), resultCode: z.int(), transId: z.unknown() })
const withList = z.object({ refundTrans: z.array(z.unknown()) })

export type RefundAnswer = {
  answer: unknown
  resultCode: number
  asked: Pick<GatewayRefund, 'refundOrder' | 'amountVnd'>
}

/** Reads what asking for a refund was answered; undefined when it is about another one. */
export function readRefund({ answer, resultCode, asked }: RefundAnswer): RefundOutcome | undefined {
  if (NOT_ACCEPTED.has(resultCode)) return { kind: 'refused', resultCode }
  return readVerdict(answer, resultCode, asked)
}

/** Reads what asking about a refund was answered. Its own row in the list counts before the answer as a whole. */
export function readRefundQuery({ answer, resultCode, asked }: RefundAnswer): RefundOutcome | undefined {
  const row = rowsOf(answer).find(({ orderId }) => orderId === asked.refundOrder)
  if (row !== undefined) return readVerdict(row, row.resultCode, asked)
  if (resultCode === NOT_FOUND) return { kind: 'unknown-refund' }
  return readVerdict(answer, resultCode, asked)
}

function readVerdict(
  answer: unknown,
  resultCode: number,
  asked: RefundAnswer['asked'],
): RefundOutcome | undefined {
  if (resultCode === 0) return readRefunded(answer, asked)
  // A query that was refused does not decide the refund.
  return { kind: FAILED.has(resultCode) ? 'refused' : 'pending', resultCode }
}

function readRefunded(answer: unknown, asked: RefundAnswer['asked']): RefundOutcome | undefined {
  const read = refunded.safeParse(answer)
  const isOurs =
    read.success && read.data.orderId === asked.refundOrder && read.data.amount === asked.amountVnd
  return isOurs ? { kind: 'refunded', transId: read.data.transId } : undefined
}

function rowsOf(answer: unknown): z.output<typeof listed>[] {
  const read = withList.safeParse(answer)
  if (!read.success) return []
  return read.data.refundTrans.flatMap((row) => {
    const one = listed.safeParse(row)
    return one.success ? [one.data] : []
  })
}
