import * as z from 'zod/mini'
import { usableSecrets, type SignatureResult, sha256Hex } from '#server/platform/values/crypto.ts'
import {
  writeSorted,
  type JsonValue,
  accountNumber,
  bankReference,
  faultyField,
  isRecord,
  providerId,
  readNotificationJson,
  storableText,
  vietnamMoment,
  wholeNumber,
  writtenText,
  oneHeader,
} from '../notification.rules.ts'
import {
  MAX_TRANSFER_VND,
  type BankEvent,
  type UncreditedEvent,
  type PaymentEventFact,
  type ReadNotification,
  type NotificationReader,
} from '../payment-vendor.rules.ts'
import { hmacHex, isOneOf, isSecret } from '../provider-call.ts'

type CassoSignature = {
  /** `t=<unix ms>,v1=<hex>` */
  header: string | undefined
  keys: readonly string[]
  body: JsonValue
  now: Date
  toleranceSeconds: number
}

/**
 * HMAC-SHA512 of the time, a dot, and the body written out again with its names in order. `stale` is stored for
 * an operator, never credited.
 */
function verifyCassoSignature(input: CassoSignature): SignatureResult {
  const [, timestamp, digits] = /^t=(\d{1,15}), ?v1=([0-9a-fA-F]{128})$/.exec(input.header ?? '') ?? []
  if (timestamp === undefined || digits === undefined) return 'bad'
  const texts = new Set(TEXT_FORMS.map((write) => writeSorted(input.body, write)))
  const made = usableSecrets(input.keys).flatMap((key) =>
    [...texts].map((text) => hmacHex('sha512', key, `${timestamp}.${text}`)),
  )
  if (!isOneOf(digits, made)) return 'bad'
  const offSeconds = Math.abs(input.now.getTime() - Number(timestamp)) / 1000
  return offSeconds <= input.toleranceSeconds ? 'valid' : 'stale'
}

// The samples in Casso's five languages agree on everything but how a text is written, and it is not documented
// which of them signs. For plain ASCII they are all the same.
const escaping = (characters: RegExp) => (text: string) =>
  JSON.stringify(text).replace(
    characters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
const asciiOnly = escaping(/[\u0080-\uffff]/g)
const TEXT_FORMS = [
  // Node, Java, .NET
  (text: string) => JSON.stringify(text),
  // Python
  asciiOnly,
  // PHP
  (text: string) => asciiOnly(text).replaceAll('/', '\\/'),
  // Go
  escaping(/[<>&\u2028\u2029]/g),
]

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
function readCasso(raw: Uint8Array): ReadNotification {
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
    id: `unreadable:${sha256Hex(part)}`,
    amount: signedAmount.safeParse(fields.amount).data ?? 0,
    accountNumber: accountNumber.safeParse(fields.bank_sub_acc_id ?? fields.subAccId).data ?? '',
    bankRef: null,
    memo: storableText.safeParse(fields.description).data ?? '',
    bookedAt: vietnamMoment.safeParse(fields.when).data ?? null,
  })
}

/** Keys of Casso's signatures and plain tokens, each the one in use and, during a change, the one before. */
type CassoKeys = { webhookKeys: string[]; tokens: string[] }

const TOLERANCE_SECONDS = 300

/** Of a signed notification the signature alone is checked: a token beside it does not help. */
export function openCassoNotices({ webhookKeys, tokens }: CassoKeys): NotificationReader {
  return {
    provider: 'casso',
    success: 200,
    verify(notification, now) {
      if (notification.headers['x-casso-signature'] === undefined)
        return isSecret(oneHeader(notification, 'secure-token') ?? '', tokens) ? 'valid' : 'bad'
      const body = readNotificationJson(notification.raw)
      if (body === undefined) return 'unreadable'
      return verifyCassoSignature({
        keys: webhookKeys,
        header: oneHeader(notification, 'x-casso-signature'),
        body,
        now,
        toleranceSeconds: TOLERANCE_SECONDS,
      })
    },
    read: readCasso,
  }
}
