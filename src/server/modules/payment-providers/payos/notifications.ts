import { usableSecrets } from '#server/platform/values/crypto.ts'
import {
  amountOf,
  asUnreadable,
  idOf,
  readElement,
  referenceOf,
  textOf,
  type Vendor,
} from '../notice-fields.ts'
import {
  isRecord,
  NumberText,
  writeSorted,
  type JsonRecord,
  type JsonValue,
  readNotificationJson,
  checkSignedJson,
} from '../notification.rules.ts'
import type { NotificationReader, PaymentEventFact } from '../payment-vendor.rules.ts'
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

/** One transfer, whether a notification or an answer of payOS reports it. */
const payosVendor = (paymentLinkId: string | undefined): Vendor => ({
  provider: 'payos',
  names: {
    account: ['accountNumber'],
    virtual: ['virtualAccountNumber'],
    amounts: ['amount'],
    reference: ['reference'],
    memo: ['description'],
    line: [],
    code: [],
    time: ['transactionDateTime'],
    payer: ['counterAccountNumber'],
  },
  // A payment link may be paid in several transfers, which differ in the bank's reference.
  id: ({ reference }) => paymentLinkId && `${paymentLinkId}:${referenceOf(reference) ?? ''}`,
  movement({ amount, currency }) {
    const vnd = amountOf(amount) ?? 0
    const isVnd = ['', 'VND'].includes(textOf(currency).trim().toUpperCase())
    return { direction: 'in', amountVnd: isVnd && vnd > 0 ? vnd : undefined }
  },
})

export const readPayosTransfer = (paymentLinkId: string, transfer: JsonValue, raw: Buffer) =>
  readElement(payosVendor(paymentLinkId), transfer, { raw })

/** Reads a notification whose signature has been found right. Only what is inside `data` is signed, so only that counts. */
function readPayos(raw: Buffer): PaymentEventFact[] {
  const body = readNotificationJson(raw)
  const data = isRecord(body) ? body.data : undefined
  const fields = isRecord(data) ? data : {}
  const code = textOf(fields.code).trim()
  const fact = readElement(payosVendor(idOf(fields.paymentLinkId)), data, { raw })
  if (code === SUCCESS || fact.kind === 'unreadable' || !/^[\w-]{1,16}$/.test(code))
    return [code === SUCCESS ? fact : asUnreadable(fact, raw)]
  const { event } = fact
  return [
    {
      kind: 'no-money',
      event: { ...event, providerEventId: `${code}:${event.providerEventId}` },
      reason: 'payment-failed',
    },
  ]
}

/** There is no time in what payOS signs, so nothing of payOS' is ever stale (docs/decisions/0019). */
export function openPayosNotices(checksumKeys: string[]): NotificationReader {
  return {
    provider: 'payos',
    success: 200,
    verify: ({ raw }) => checkSignedJson(raw, (body) => isPayosSigned(body, checksumKeys)),
    read: readPayos,
  }
}
