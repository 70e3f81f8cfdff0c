import * as z from 'zod/mini'
import type { UncreditedEvent } from '../bank-event.rules.ts'
import {
  accountNumber,
  bankReference,
  faultyField,
  providerId,
  storableText,
  transferAmount,
  vietnamMoment,
  wholeNumber,
} from '../notification-fields.rules.ts'
import type { ReadNotification } from '../notification.rules.ts'
import { isRecord, readNotificationJson } from '../notification-json.rules.ts'

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
export function readPayos(raw: Uint8Array): ReadNotification {
  const body = readNotificationJson(raw)
  if (!isRecord(body)) return { ok: false, field: '' }
  const read = attempt.safeParse(body.data)
  if (!read.success) return { ok: false, field: faultyField(read.error) || 'data' }
  const { paymentLinkId, reference, amount, description, code } = read.data
  const id = payosEventId({ paymentLinkId, reference })
  const event: UncreditedEvent = {
    provider: 'payos',
    providerEventId: id,
    direction: 'in',
    amountVnd: amount,
    accountNumber: '',
    bankRef: reference,
    memo: description,
    fullText: '',
    code: null,
    bookedAt: null,
  }
  if (code !== SUCCESS) {
    const providerEventId = `${code}:${id}`
    return {
      ok: true,
      events: [{ kind: 'no-money', event: { ...event, providerEventId }, reason: 'payment-failed' }],
    }
  }
  const paid = payment.safeParse(body.data)
  if (!paid.success) return { ok: false, field: faultyField(paid.error) }
  const { accountNumber: account, transactionDateTime } = paid.data
  return {
    ok: true,
    events: [
      { kind: 'movement', event: { ...event, accountNumber: account, bookedAt: transactionDateTime } },
    ],
  }
}

/** A payment link may be paid in several transfers, and the bank's reference tells them apart. */
export function payosEventId(transfer: { paymentLinkId: string; reference: string | null }): string {
  return `${transfer.paymentLinkId}:${transfer.reference ?? ''}`
}
