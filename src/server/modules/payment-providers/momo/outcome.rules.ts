import * as z from 'zod/mini'
import { listedId } from '../bank-list.rules.ts'
import {
  isRecord,
  providerId,
  readNotificationJson,
  transferAmount,
  wholeNumber,
} from '../notification.rules.ts'
import type { CheckoutOutcome, GatewayRefund, RefundOutcome } from '../payment-vendor.rules.ts'
import { momoEvent } from './notification.rules.ts'

/** Results that can no longer become a payment. An unknown code counts as pending: it is queried again. */
const FAILED = new Set([1001, 1002, 1003, 1004, 1005, 1006, 1007, 1017, 1026, 4001, 4002, 4100])
const NOT_FOUND = 42

const paid = z.object({
  orderId: z.string(),
  partnerCode: z.string(),
  amount: transferAmount,
  transId: providerId.check(z.regex(/[^0]/)),
  responseTime: z.pipe(wholeNumber, z.int().check(z.gte(Date.UTC(2000)), z.lte(Date.UTC(2100)))),
})

export type MomoAnswer = {
  text: string
  resultCode: number
  /** What was asked about, and the request by which the order was made: the notification would name both. */
  order: { code: string; requestId: string }
  partnerCode: string
}

/** Reads what a query was answered; undefined when it is about something else than was asked. */
export function momoOutcome({
  text,
  resultCode,
  order,
  partnerCode,
}: MomoAnswer): CheckoutOutcome | undefined {
  if (resultCode === NOT_FOUND) return { state: 'unknown', payments: [] }
  if (FAILED.has(resultCode)) return { state: 'failed', payments: [] }
  if (resultCode !== 0) return { state: 'pending', payments: [] }
  const raw = Buffer.from(text)
  const body = readNotificationJson(raw)
  const read = paid.safeParse(isRecord(body) ? body : null)
  if (!read.success || read.data.orderId !== order.code || read.data.partnerCode !== partnerCode)
    return undefined
  const fact = momoEvent({ ...read.data, requestId: order.requestId, orderInfo: '', resultCode })
  return fact.kind === 'movement' ? { state: 'paid', payments: [{ event: fact.event, raw }] } : undefined
}

const REFUND_NOT_FOUND = 42
/** Final failures of a refund. Any other code may still become a success: MoMo is queried again. */
const REFUND_FAILED = new Set([1001, 1002, 1004, 1007, 1026, 1080, 1081, 1088, 4001, 4002])
/** Requests that MoMo did not accept, so that there is no refund to query. 40 and 41 are not among them: the id is known there. */
const NOT_ACCEPTED = new Set([11, 12, 13, 20, 21, 22, REFUND_NOT_FOUND])

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
  if (resultCode === REFUND_NOT_FOUND) return { kind: 'unknown-refund' }
  return readVerdict(answer, resultCode, asked)
}

function readVerdict(
  answer: unknown,
  resultCode: number,
  asked: RefundAnswer['asked'],
): RefundOutcome | undefined {
  if (resultCode === 0) return readRefunded(answer, asked)
  // A query that was refused does not decide the refund.
  return { kind: REFUND_FAILED.has(resultCode) ? 'refused' : 'pending', resultCode }
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
