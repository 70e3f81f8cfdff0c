import * as z from 'zod/mini'
import { MAX_TRANSFER_VND, type BankEvent, type UncreditedEvent } from '../bank-event.rules.ts'
import {
  accountNumber,
  bankReference,
  faultyField,
  providerId,
  storableText,
  vietnamMoment,
  wholeNumber,
  writtenText,
} from '../notification-fields.rules.ts'
import { isRecord, readNotificationJson, writeSorted, type JsonValue } from '../notification-json.rules.ts'

export type CassoRow =
  | { ok: true; event: BankEvent; text: string }
  /** What could be made out of a row that cannot be read as a whole. It has no id that could be relied on. */
  | { ok: false; event: Omit<UncreditedEvent, 'providerEventId'>; text: string }

export type CassoParsed = { ok: true; rows: CassoRow[]; isList: boolean } | { ok: false; field: string }

/** More than fit into a notification when each of them says what it must. */
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

/** Reads a notification that was found to be Casso's. Of a list, each row stands for itself. */
export function parseCasso(raw: Uint8Array): CassoParsed {
  const body = readNotificationJson(raw)
  if (!isRecord(body)) return { ok: false, field: '' }
  const { data } = body
  if (Array.isArray(data) && data.length <= MAX_ROWS)
    return { ok: true, isList: true, rows: data.map(readRow) }
  if (!isRecord(data)) return { ok: false, field: 'data' }
  const read = single.safeParse(data)
  if (!read.success) return { ok: false, field: faultyField(read.error) }
  const { id, reference, description, amount, transactionDateTime, accountNumber } = read.data
  const event = eventOf({
    id,
    amount,
    memo: description,
    bankRef: reference,
    bookedAt: transactionDateTime,
    accountNumber,
  })
  return { ok: true, isList: false, rows: [{ ok: true, event, text: '' }] }
}

function readRow(row: JsonValue): CassoRow {
  const text = writeSorted(row)
  const read = listed.safeParse(row)
  const account = read.data?.bank_sub_acc_id ?? read.data?.subAccId
  if (!read.success || !account) return { ok: false, event: guess(row), text }
  const { id, tid, description, amount, when } = read.data
  const event = eventOf({
    id,
    amount,
    memo: description,
    bankRef: tid,
    bookedAt: when,
    accountNumber: account,
  })
  return { ok: true, event, text }
}

type Facts = {
  id: string
  amount: number
  memo: string
  bankRef: string | null
  bookedAt: Date
  accountNumber: string
}

function eventOf({ id, amount, memo, bankRef, bookedAt, accountNumber }: Facts): BankEvent {
  return {
    provider: 'casso',
    providerEventId: id,
    direction: amount < 0 ? 'out' : 'in',
    amountVnd: Math.abs(amount),
    accountNumber,
    bankRef,
    memo,
    fullText: '',
    code: null,
    bookedAt,
  }
}

/** For an operator to look at beside the row itself; nothing is ever credited from it. */
function guess(row: JsonValue): Omit<UncreditedEvent, 'providerEventId'> {
  const fields = isRecord(row) ? row : {}
  const amount = signedAmount.safeParse(fields.amount).data ?? 0
  const account = accountNumber.safeParse(fields.bank_sub_acc_id ?? fields.subAccId).data
  return {
    provider: 'casso',
    direction: amount < 0 ? 'out' : 'in',
    amountVnd: Math.abs(amount),
    accountNumber: account ?? '',
    bankRef: null,
    memo: storableText.safeParse(fields.description).data ?? '',
    fullText: '',
    code: null,
    bookedAt: vietnamMoment.safeParse(fields.when).data ?? null,
  }
}
