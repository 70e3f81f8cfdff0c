import * as z from 'zod/mini'
import type { BankEvent } from '../bank-list.rules.ts'
import {
  accountNumber,
  bankReference,
  faultyField,
  isRecord,
  providerId,
  type ReadNotification,
  readNotificationJson,
  storableText,
  transferAmount,
  vietnamMoment,
  wholeNumber,
} from '../notification.rules.ts'

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
