import * as z from 'zod/mini'
import { usableSecrets } from '#server/platform/values/crypto.ts'
import {
  isRecord,
  NumberText,
  writeSorted,
  type JsonRecord,
  type JsonValue,
  accountNumber,
  bankReference,
  faultyField,
  providerId,
  readNotificationJson,
  storableText,
  transferAmount,
  vietnamMoment,
  wholeNumber,
  checkSignedJson,
} from '../notification.rules.ts'
import type { BankEvent, ReadNotification, NotificationReader } from '../payment-vendor.rules.ts'
import { hmacHex, isOneOf } from '../provider-call.ts'

/** Whether payOS signed the `data` of this body; fields outside it are not signed and not used. */
export function isPayosSigned(body: JsonValue | undefined, checksumKeys: readonly string[]): boolean {
  if (!isRecord(body) || !isRecord(body.data) || typeof body.signature !== 'string') return false
  const text = payosText(body.data)
  if (text === undefined) return false
  return isOneOf(
    body.signature,
    usableSecrets(checksumKeys).map((key) => hmacHex('sha256', key, text)),
  )
}

/** `name=value&…` in the order of the names, nothing encoded. */
function payosText(data: JsonRecord): string | undefined {
  const pairs: string[] = []
  for (const name of Object.keys(data).sort()) {
    const value = data[name] ?? null
    if (isRecord(value)) return undefined
    pairs.push(`${name}=${payosValue(value)}`)
  }
  return pairs.join('&')
}

function payosValue(value: Exclude<JsonValue, JsonRecord>): string {
  if (value instanceof NumberText) return value.text
  if (Array.isArray(value)) return writeSorted(value)
  // payOS' own library reads the two texts as the values that they name.
  return value === null || value === 'null' || value === 'undefined' ? '' : String(value)
}

const SUCCESS = '00'

/** What every notification has, whether money came or not. */
const attempt = z.object({
  paymentLinkId: providerId,
  reference: bankReference,
  amount: wholeNumber,
  description: storableText,
  code: z.string().check(z.regex(/^[\w-]{1,16}$/)),
})

const payment = z.object({
  amount: transferAmount,
  accountNumber,
  transactionDateTime: vietnamMoment,
  currency: z.nullish(z.enum(['VND', ''])),
})

/** Reads a notification whose signature has been found right. Only what is inside `data` is signed, so only that counts. */
function readPayos(raw: Uint8Array): ReadNotification {
  const body = readNotificationJson(raw)
  if (!isRecord(body)) return { ok: false, field: '' }
  const read = attempt.safeParse(body.data)
  if (!read.success) return { ok: false, field: faultyField(read.error) || 'data' }
  const { code, ...attempted } = read.data
  if (code !== SUCCESS) {
    const event = payosEvent({ ...attempted, accountNumber: '', transactionDateTime: null })
    const providerEventId = `${code}:${event.providerEventId}`
    return {
      ok: true,
      events: [{ kind: 'no-money', event: { ...event, providerEventId }, reason: 'payment-failed' }],
    }
  }
  const paid = payment.safeParse(body.data)
  if (!paid.success) return { ok: false, field: faultyField(paid.error) }
  return { ok: true, events: [{ kind: 'movement', event: payosEvent({ ...attempted, ...paid.data }) }] }
}

type PayosTransfer<BookedAt> = Pick<BankEvent, 'accountNumber'> & {
  paymentLinkId: string
  reference: string | null
  amount: number
  description: string
  transactionDateTime: BookedAt
}

/** One transfer, whether a notification or an answer of payOS reports it. */
export const payosEvent = <BookedAt>(transfer: PayosTransfer<BookedAt>) => ({
  provider: 'payos',
  // A payment link may be paid in several transfers, which differ in the bank's reference.
  providerEventId: `${transfer.paymentLinkId}:${transfer.reference ?? ''}`,
  direction: 'in' as const,
  amountVnd: transfer.amount,
  accountNumber: transfer.accountNumber,
  bankRef: transfer.reference,
  memo: transfer.description,
  fullText: '',
  code: null,
  bookedAt: transfer.transactionDateTime,
})

/** There is no time in what payOS signs, so nothing of payOS' is ever stale (docs/decisions/0019). */
export function openPayosNotices(checksumKeys: string[]): NotificationReader {
  return {
    provider: 'payos',
    success: 200,
    verify: ({ raw }) => checkSignedJson(raw, (body) => isPayosSigned(body, checksumKeys)),
    read: readPayos,
  }
}
