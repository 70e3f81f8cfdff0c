import * as z from 'zod/mini'
import type { CheckoutOutcome } from '../payment-vendor.rules.ts'
import { momoEvent } from './notification.rules.ts'
import { isRecord, readNotificationJson } from '../notification-json.rules.ts'
import { providerId, transferAmount, wholeNumber } from '../notification-fields.rules.ts'

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
