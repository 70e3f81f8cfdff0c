import { usableSecrets, type SignatureResult } from '#server/platform/values/crypto.ts'
import { readNoticeBody } from '../notice-body.rules.ts'
import { amountOf, idOf, readElement, readList, type Vendor } from '../notice-fields.ts'
import {
  writeSorted,
  type JsonValue,
  isRecord,
  readNotificationJson,
  oneHeader,
} from '../notification.rules.ts'
import type { PaymentEventFact, NotificationReader } from '../payment-vendor.rules.ts'
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

/** What one transfer is called in a signed notification, in one opened by a token, and in Casso's list. */
const CASSO: Vendor = {
  provider: 'casso',
  names: {
    account: ['accountNumber', 'bank_sub_acc_id', 'bankSubAccId', 'subAccId'],
    virtual: ['virtualAccountNumber', 'virtualAccount', 'virtual_account'],
    amounts: ['amount'],
    reference: ['reference', 'tid'],
    memo: ['description'],
    line: [],
    code: [],
    time: ['transactionDateTime', 'when'],
    payer: ['counterAccountNumber', 'corresponsiveAccount'],
  },
  id: ({ id }) => idOf(id),
  movement(fields) {
    const amount = amountOf(fields.amount)
    if (amount === undefined) return {}
    return { direction: amount < 0 ? 'out' : 'in', amountVnd: Math.abs(amount) }
  },
}

/** Reads a notification that was found to be Casso's. Each row of a list becomes its own payment event. */
function readCasso(raw: Buffer, contentType?: string): PaymentEventFact[] {
  const body = readNoticeBody(raw, contentType)
  const data = isRecord(body) ? body.data : body
  return Array.isArray(data) ? readList(CASSO, data, raw) : [readElement(CASSO, data, { raw })]
}

export const readCassoRow = (row: JsonValue, raw: Buffer) => readElement(CASSO, row, { raw })

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
