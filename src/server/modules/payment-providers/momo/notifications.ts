import * as z from 'zod/mini'
import { usableSecrets } from '#server/platform/values/crypto.ts'
import {
  isRecord,
  NumberText,
  type JsonRecord,
  type JsonValue,
  faultyField,
  providerId,
  readNotificationJson,
  storableText,
  transferAmount,
  wholeNumber,
  checkSignedJson,
} from '../notification.rules.ts'
import type {
  UncreditedEvent,
  PaymentEventFact,
  ReadNotification,
  NotificationReader,
} from '../payment-vendor.rules.ts'
import { hmacHex, isOneOf } from '../provider-call.ts'

/** An access key goes into what is signed, so it changes together with its secret. */
type MomoCredentials = { accessKey: string; secret: string }

/** Our partner code, and the credentials in use and, during a change, the ones before. */
export type MomoKeys = { partnerCode: string; credentials: MomoCredentials[] }

/** What MoMo signs of a notification, in its order; the access key is put before them and is not in the body. */
const SIGNED = [
  'amount',
  'extraData',
  'message',
  'orderId',
  'orderInfo',
  'orderType',
  'partnerCode',
  'payType',
  'requestId',
  'responseTime',
  'resultCode',
  'transId',
] as const

/** Whether MoMo signed this body, for the partner that we are. */
function isMomoSigned(body: JsonValue | undefined, { partnerCode, credentials }: MomoKeys): boolean {
  if (!isRecord(body) || typeof body.signature !== 'string' || body.partnerCode !== partnerCode) return false
  const fields = signedFields(body)
  if (fields === undefined) return false
  const usable = credentials.filter(({ secret }) => usableSecrets([secret]).length > 0)
  return isOneOf(
    body.signature,
    usable.map((credentials) => signMomo(credentials, fields)),
  )
}

/** The `signature` over these pairs, in the order that MoMo requires for each of its messages. */
export function signMomo(
  { accessKey, secret }: MomoCredentials,
  fields: readonly (readonly [string, string])[],
) {
  const pairs = [['accessKey', accessKey], ...fields]
  return hmacHex('sha256', secret, pairs.map(([name, value]) => `${name}=${value}`).join('&'))
}

/** The values textually as they came. What is not there is signed as nothing; a list or an object is signed by nobody. */
function signedFields(body: JsonRecord): [string, string][] | undefined {
  const pairs: [string, string][] = []
  for (const name of SIGNED) {
    const value = Object.hasOwn(body, name) ? (body[name] ?? '') : ''
    if (value instanceof NumberText) pairs.push([name, value.text])
    else if (typeof value === 'string') pairs.push([name, value])
    else return undefined
  }
  return pairs
}

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
function readMomo(raw: Uint8Array): ReadNotification {
  const body = readNotificationJson(raw)
  if (!isRecord(body)) return { ok: false, field: '' }
  const read = attempt.safeParse(body)
  if (!read.success) return { ok: false, field: faultyField(read.error) }
  const { resultCode } = read.data
  const paid = resultCode === SUCCESS ? payment.safeParse(body) : null
  if (paid?.success === false) return { ok: false, field: faultyField(paid.error) }
  return { ok: true, events: [momoEvent(read.data)] }
}

type MomoResult = z.output<typeof attempt>

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

type MomoReason = 'authorised' | 'pending' | 'payment-failed' | 'unknown-result'

/** Everything that is neither known nor final may still become a payment, and is queried. */
function reasonOf(resultCode: number): MomoReason {
  if (resultCode === AUTHORISED) return 'authorised'
  if (PENDING.has(resultCode)) return 'pending'
  return FAILED.has(resultCode) ? 'payment-failed' : 'unknown-result'
}

/** MoMo sends each payment once, maybe late: its own time is signed and yet makes nothing stale (docs/decisions/0019). */
export function openMomoNotices(keys: MomoKeys): NotificationReader {
  return {
    provider: 'momo',
    success: 204,
    verify: ({ raw }) => checkSignedJson(raw, (body) => isMomoSigned(body, keys)),
    read: readMomo,
  }
}
