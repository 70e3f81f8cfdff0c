import * as z from 'zod/mini'
import { MAX_TRANSFER_VND } from './bank-event.rules.ts'
import type { BankEvent } from './bank-event.rules.ts'

export type SepayParsed =
  | { ok: true; event: BankEvent }
  | { ok: false; reason: 'not-json' }
  | { ok: false; reason: 'bad-field'; field: string }

const VIETNAM_OFFSET = '+07:00'
const VIETNAM_OFFSET_MS = 7 * 60 * 60 * 1000

// PostgreSQL cannot keep U+0000 in a text, and a notification must not be lost for one.
const storableText = z.pipe(
  z.nullish(z.string()),
  z.transform((text) => (text ?? '').replaceAll('\u0000', '')),
)
const accountNumber = z.string().check(z.trim(), z.regex(/^[\x20-\x7e]{1,64}$/))

const notification = z.object({
  id: z.union([z.int().check(z.gte(0)), z.string().check(z.regex(/^[\w-]{1,64}$/))]),
  transactionDate: z.string().check(z.refine((text) => vietnamTime(text) !== undefined)),
  accountNumber,
  code: storableText,
  content: storableText,
  transferType: z.enum(['in', 'out']),
  transferAmount: z.int().check(z.gte(1), z.lte(MAX_TRANSFER_VND)),
  referenceCode: storableText,
  description: storableText,
})

/** Reads a notification whose signature has been found right. The bytes are those that were signed. */
export function parseSepay(raw: Uint8Array): SepayParsed {
  const body = readJson(raw)
  if (body === undefined) return { ok: false, reason: 'not-json' }
  const read = notification.safeParse(body)
  if (!read.success)
    return { ok: false, reason: 'bad-field', field: String(read.error.issues[0]?.path[0] ?? '') }

  const fields = read.data
  const bookedAt = vietnamTime(fields.transactionDate)
  if (bookedAt === undefined) return { ok: false, reason: 'bad-field', field: 'transactionDate' }
  const event: BankEvent = {
    provider: 'sepay',
    providerEventId: String(fields.id),
    direction: fields.transferType,
    amountVnd: fields.transferAmount,
    accountNumber: fields.accountNumber,
    bankRef: fields.referenceCode.trim() || null,
    memo: fields.content,
    fullText: fields.description,
    code: fields.code.trim() || null,
    bookedAt,
  }
  return { ok: true, event }
}

function readJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    // Whatever is wrong with the bytes, the sender gets the same answer, and undefined is no JSON value.
    return undefined
  }
}

/** `2024-07-02 11:08:33`, a clock on a wall in Hanoi. Dates no calendar has are refused rather than rolled over. */
function vietnamTime(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined
  const local = text.replace(' ', 'T')
  const moment = new Date(local + VIETNAM_OFFSET)
  if (Number.isNaN(moment.getTime())) return undefined
  const back = new Date(moment.getTime() + VIETNAM_OFFSET_MS).toISOString().slice(0, local.length)
  return back === local ? moment : undefined
}
