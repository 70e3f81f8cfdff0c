import * as z from 'zod/mini'
import { MAX_TRANSFER_VND, type BankEvent } from '../bank-list.rules.ts'
import {
  accountNumber,
  bankReference,
  faultyField,
  type ReadNotification,
  storableText,
  vietnamMoment,
} from '../notification.rules.ts'

const notification = z.object({
  id: z.union([z.int().check(z.gte(0)), z.string().check(z.regex(/^[\w-]{1,64}$/))]),
  transactionDate: vietnamMoment,
  accountNumber,
  code: storableText,
  content: storableText,
  transferType: z.enum(['in', 'out']),
  transferAmount: z.int().check(z.gte(1), z.lte(MAX_TRANSFER_VND)),
  referenceCode: bankReference,
  description: storableText,
})

/** Reads a notification whose signature has been found right. The bytes are those that were signed. */
export function readSepay(raw: Uint8Array): ReadNotification {
  const read = notification.safeParse(readJson(raw))
  if (!read.success) return { ok: false, field: faultyField(read.error) }
  const fields = read.data
  const event: BankEvent = {
    provider: 'sepay',
    providerEventId: String(fields.id),
    direction: fields.transferType,
    amountVnd: fields.transferAmount,
    accountNumber: fields.accountNumber,
    bankRef: fields.referenceCode,
    memo: fields.content,
    fullText: fields.description,
    code: fields.code.trim() || null,
    bookedAt: fields.transactionDate,
  }
  return { ok: true, events: [{ kind: 'movement', event }] }
}

function readJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    // Whatever is wrong with the bytes, the sender gets the same answer, and undefined is no JSON value.
    return undefined
  }
}
