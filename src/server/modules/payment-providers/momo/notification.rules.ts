import * as z from 'zod/mini'
import type { UncreditedEvent } from '../bank-list.rules.ts'
import {
  faultyField,
  isRecord,
  type PaymentEventFact,
  providerId,
  type ReadNotification,
  readNotificationJson,
  storableText,
  transferAmount,
  wholeNumber,
} from '../notification.rules.ts'

/** What every notification has, whether money came or not. */
const attempt = z.object({
  partnerCode: providerId,
  orderId: z.string().check(z.regex(/^[\w.-]{1,200}$/)),
  requestId: z.string().check(z.regex(/^[\x21-\x7e]{0,50}$/)),
  amount: wholeNumber,
  transId: providerId,
  orderInfo: storableText,
  resultCode: wholeNumber,
  responseTime: z.pipe(wholeNumber, z.int().check(z.gte(Date.UTC(2000)), z.lte(Date.UTC(2100)))),
})

const payment = z.object({
  amount: transferAmount,
  transId: providerId.check(z.regex(/[^0]/)),
})

/** Reads a notification whose signature has been found right and meant for us. */
export function readMomo(raw: Uint8Array): ReadNotification {
  const body = readNotificationJson(raw)
  if (!isRecord(body)) return { ok: false, field: '' }
  const read = attempt.safeParse(body)
  if (!read.success) return { ok: false, field: faultyField(read.error) }
  const { resultCode } = read.data
  const paid = resultCode === SUCCESS ? payment.safeParse(body) : null
  if (paid?.success === false) return { ok: false, field: faultyField(paid.error) }
  return { ok: true, events: [momoEvent(read.data)] }
}

export type MomoResult = z.output<typeof attempt>

/** One payment as MoMo reports it, by notification or in an answer: the same event under the same id. */
export function momoEvent(result: MomoResult): PaymentEventFact {
  const { orderId, requestId, transId, resultCode } = result
  const event = {
    provider: 'momo',
    providerEventId: transId,
    direction: 'in' as const,
    amountVnd: result.amount,
    accountNumber: result.partnerCode,
    bankRef: transId,
    memo: result.orderInfo,
    fullText: requestId,
    code: orderId,
    bookedAt: new Date(result.responseTime),
  }
  if (resultCode === SUCCESS) return { kind: 'movement', event }
  // One transaction may fail or wait before it succeeds: each result has an id of its own, and the success the plain one.
  const providerEventId = `${orderId}/${requestId}/${transId}:${resultCode}`
  return {
    kind: 'no-money',
    event: { ...event, providerEventId } satisfies UncreditedEvent,
    reason: reasonOf(resultCode),
  }
}

const SUCCESS = 0
/** Authorised by the player and not captured yet: MoMo has to be queried for the outcome. */
const AUTHORISED = 9000
const PENDING = new Set([1000, 7000, 7002])
const FAILED = new Set([98, 99, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1017, 1026, 4001, 4002, 4100])

export type MomoReason = 'authorised' | 'pending' | 'payment-failed' | 'unknown-result'

/** Everything that is neither known nor final may still turn out well, and is asked about. */
function reasonOf(resultCode: number): MomoReason {
  if (resultCode === AUTHORISED) return 'authorised'
  if (PENDING.has(resultCode)) return 'pending'
  return FAILED.has(resultCode) ? 'payment-failed' : 'unknown-result'
}
