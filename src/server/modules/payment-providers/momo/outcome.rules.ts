import * as z from 'zod/mini'
import type { BankEvent } from '../bank-event.rules.ts'
import { momoTold } from './notification.rules.ts'
import { isRecord, readNoticeJson } from '../notification-json.rules.ts'
import { providerId, transferAmount, wholeNumber } from '../notification-fields.rules.ts'

/** How an order at MoMo stands. */
export type MomoOutcome =
  | { kind: 'paid'; event: BankEvent; raw: Buffer }
  /** Not paid yet, or only authorised: money that is promised and not moved. */
  | { kind: 'pending' }
  /** It will never be paid. */
  | { kind: 'failed' }
  /** MoMo knows no such order. */
  | { kind: 'unknown-order' }

/** What can no longer become a payment. A code nobody knows counts as pending: it is asked about again. */
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

/** Reads what a query was answered; undefined when it speaks of something else than it was asked about. */
export function momoOutcome({ text, resultCode, order, partnerCode }: MomoAnswer): MomoOutcome | undefined {
  if (resultCode === NOT_FOUND) return { kind: 'unknown-order' }
  if (FAILED.has(resultCode)) return { kind: 'failed' }
  if (resultCode !== 0) return { kind: 'pending' }
  const raw = Buffer.from(text)
  const body = readNoticeJson(raw)
  const read = paid.safeParse(isRecord(body) ? body : null)
  if (!read.success || read.data.orderId !== order.code || read.data.partnerCode !== partnerCode)
    return undefined
  const told = momoTold({ ...read.data, requestId: order.requestId, orderInfo: '', resultCode })
  return told.kind === 'movement' ? { kind: 'paid', event: told.event, raw } : undefined
}
