import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { MAX_TRANSFER_VND, type BankEvent, type UncreditedEvent } from '../bank-list.rules.ts'
import {
  accountNumber,
  bankReference,
  faultyField,
  isRecord,
  type JsonValue,
  type PaymentEventFact,
  providerId,
  type ReadNotification,
  readNotificationJson,
  storableText,
  vietnamMoment,
  wholeNumber,
  writeSorted,
  writtenText,
} from '../notification.rules.ts'

/** More rows than fit into a notification with all their required fields. */
const MAX_ROWS = 500

/** Negative is money going out. */
const signedAmount = z.pipe(
  wholeNumber,
  z.int().check(
    z.gte(-MAX_TRANSFER_VND),
    z.lte(MAX_TRANSFER_VND),
    z.refine((amount) => amount !== 0),
  ),
)
const reference = z.pipe(z.nullish(writtenText), bankReference)
const writtenAccount = z.pipe(writtenText, accountNumber)
/** One of the two names of an account; Casso leaves the other empty in several ways. */
const oneAccount = z.pipe(
  z.pipe(
    z.nullish(writtenText),
    z.transform((text) => text?.trim() || null),
  ),
  z.nullable(accountNumber),
)

/** What a list is made of: notifications opened by a token, and Casso's own interface. */
const listed = z.object({
  id: providerId,
  tid: reference,
  description: storableText,
  amount: signedAmount,
  when: vietnamMoment,
  bank_sub_acc_id: oneAccount,
  subAccId: oneAccount,
})

/** What a signed notification is about. */
const single = z.object({
  id: providerId,
  reference,
  description: storableText,
  amount: signedAmount,
  transactionDateTime: vietnamMoment,
  accountNumber: writtenAccount,
})

/** Reads a notification that was found to be Casso's. Each row of a list becomes its own payment event. */
export function readCasso(raw: Uint8Array): ReadNotification {
  const body = readNotificationJson(raw)
  if (!isRecord(body)) return { ok: false, field: '' }
  const { data } = body
  if (Array.isArray(data) && data.length <= MAX_ROWS) return { ok: true, events: data.map(readRow) }
  if (!isRecord(data)) return { ok: false, field: 'data' }
  const read = single.safeParse(data)
  if (!read.success) return { ok: false, field: faultyField(read.error) }
  const { reference: bankRef, description: memo, transactionDateTime: bookedAt, ...fields } = read.data
  return {
    ok: true,
    events: [{ kind: 'movement', event: cassoEvent({ ...fields, bankRef, memo, bookedAt }) }],
  }
}

function readRow(row: JsonValue): PaymentEventFact {
  const part = Buffer.from(writeSorted(row))
  const read = listed.safeParse(row)
  const accountNumber = read.data?.bank_sub_acc_id ?? read.data?.subAccId
  if (!read.success || !accountNumber)
    return { kind: 'unreadable', event: guess(row, part), reason: 'unreadable-row', part }
  const { id, tid: bankRef, description: memo, amount, when: bookedAt } = read.data
  return { kind: 'movement', event: cassoEvent({ id, amount, memo, bankRef, bookedAt, accountNumber }), part }
}

type Facts<BookedAt> = Pick<BankEvent, 'accountNumber' | 'bankRef' | 'memo'> & {
  id: string
  /** Negative is money going out. */
  amount: number
  bookedAt: BookedAt
}

export const cassoEvent = <BookedAt>({ id, amount, ...facts }: Facts<BookedAt>) => ({
  ...facts,
  provider: 'casso',
  providerEventId: id,
  direction: amount < 0 ? ('out' as const) : ('in' as const),
  amountVnd: Math.abs(amount),
  fullText: '',
  code: null,
})

/**
 * What could be made out of a row that cannot be read as a whole, for an operator to look at beside the row itself;
 * nothing is ever credited from it.
 */
function guess(row: JsonValue, part: Buffer): UncreditedEvent {
  const fields = isRecord(row) ? row : {}
  return cassoEvent({
    // The colon is in no id of Casso's: when the row comes again and can be read, its own id is free.
    id: `unreadable:${createHash('sha256').update(part).digest('hex')}`,
    amount: signedAmount.safeParse(fields.amount).data ?? 0,
    accountNumber: accountNumber.safeParse(fields.bank_sub_acc_id ?? fields.subAccId).data ?? '',
    bankRef: null,
    memo: storableText.safeParse(fields.description).data ?? '',
    bookedAt: vietnamMoment.safeParse(fields.when).data ?? null,
  })
}
