import { usableSecrets } from '#server/platform/values/crypto.ts'
import { amountOf, asUnreadable, idOf, readElement, textOf, type Vendor } from '../notice-fields.ts'
import {
  isRecord,
  NumberText,
  type JsonRecord,
  type JsonValue,
  readNotificationJson,
  checkSignedJson,
} from '../notification.rules.ts'
import type { BankEvent, PaymentEventFact, NotificationReader } from '../payment-vendor.rules.ts'
import { hmacHex, isOneOf } from '../provider-call.ts'

/** An access key goes into what is signed, so it changes together with its secret. */
type MomoCredentials = { accessKey: string; secret: string }

/** Our partner code, and the credentials in use and, during a change, the ones before. */
export type MomoKeys = { partnerCode: string; credentials: MomoCredentials[] }

/** What MoMo signs of a notification, in its order; the access key is put before them and is not in the body. */
const SIGNED = [
  'amount',
  'extraData',
  'message',
  'orderId',
  'orderInfo',
  'orderType',
  'partnerCode',
  'payType',
  'requestId',
  'responseTime',
  'resultCode',
  'transId',
] as const

/** Whether MoMo signed this body, for the partner that we are. */
function isMomoSigned(body: JsonValue | undefined, { partnerCode, credentials }: MomoKeys): boolean {
  if (!isRecord(body) || typeof body.signature !== 'string' || body.partnerCode !== partnerCode) return false
  const fields = signedFields(body)
  if (fields === undefined) return false
  const usable = credentials.filter(({ secret }) => usableSecrets([secret]).length > 0)
  return isOneOf(
    body.signature,
    usable.map((credentials) => signMomo(credentials, fields)),
  )
}

/** The `signature` over these pairs, in the order that MoMo requires for each of its messages. */
export function signMomo(
  { accessKey, secret }: MomoCredentials,
  fields: readonly (readonly [string, string])[],
) {
  const pairs = [['accessKey', accessKey], ...fields]
  return hmacHex('sha256', secret, pairs.map(([name, value]) => `${name}=${value}`).join('&'))
}

/** The values textually as they came. What is not there is signed as nothing; a list or an object is signed by nobody. */
function signedFields(body: JsonRecord): [string, string][] | undefined {
  const pairs: [string, string][] = []
  for (const name of SIGNED) {
    const value = Object.hasOwn(body, name) ? (body[name] ?? '') : ''
    if (value instanceof NumberText) pairs.push([name, value.text])
    else if (typeof value === 'string') pairs.push([name, value])
    else return undefined
  }
  return pairs
}

const MOMO: Vendor = {
  provider: 'momo',
  names: {
    account: ['partnerCode'],
    virtual: [],
    amounts: ['amount'],
    reference: ['transId'],
    memo: ['orderInfo'],
    line: ['requestId'],
    code: ['orderId'],
    time: [],
    payer: [],
  },
  id({ transId }) {
    const id = idOf(transId)
    return id !== undefined && /[^0]/.test(id) ? id : undefined
  },
  movement({ amount }) {
    const vnd = amountOf(amount) ?? 0
    return { direction: 'in', amountVnd: vnd > 0 ? vnd : undefined }
  },
}

/** Reads a notification whose signature has been found right and meant for us. */
function readMomo(raw: Buffer): PaymentEventFact[] {
  const body = readNotificationJson(raw)
  const fields = isRecord(body) ? body : {}
  const resultCode = wholeOf(fields.resultCode)
  const read = readElement(MOMO, body, { raw })
  const fact = { ...read, event: { ...read.event, bookedAt: momentOf(wholeOf(fields.responseTime)) } }
  if (resultCode === SUCCESS) return [fact]
  // A result that nobody can read may be the success.
  return [resultCode === undefined ? asUnreadable(fact, raw) : withoutMoney(fact.event, fields, resultCode)]
}

const wholeOf = (value: JsonValue | undefined): number | undefined =>
  /^-?\d{1,15}$/.test(textOf(value).trim()) ? Number(textOf(value)) : undefined

const momentOf = (ms: number | undefined): Date | null =>
  ms !== undefined && ms >= Date.UTC(2000) && ms <= Date.UTC(2100) ? new Date(ms) : null

/** One transaction may fail or wait before it succeeds: each result has an id of its own, and the success the plain one. */
function withoutMoney(event: BankEvent, { transId }: JsonRecord, resultCode: number): PaymentEventFact {
  const providerEventId = `${event.code ?? ''}/${event.fullText}/${textOf(transId)}:${resultCode}`
  return { kind: 'no-money', event: { ...event, providerEventId }, reason: reasonOf(resultCode) }
}

/** A payment that MoMo answers about: the same event, under the same id, as its notification. */
export function momoPayment(answer: JsonRecord, requestId: string, raw: Buffer): BankEvent | undefined {
  const fact = readElement(MOMO, { ...answer, requestId, orderInfo: null }, { raw })
  const bookedAt = momentOf(wholeOf(answer.responseTime))
  return fact.kind === 'movement' ? { ...fact.event, bookedAt } : undefined
}

const SUCCESS = 0
/** Authorised by the player and not captured yet: MoMo has to be queried for the outcome. */
const AUTHORISED = 9000
const PENDING = new Set([1000, 7000, 7002])
const FAILED = new Set([98, 99, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1017, 1026, 4001, 4002, 4100])

type MomoReason = 'authorised' | 'pending' | 'payment-failed' | 'unknown-result'

/** Everything that is neither known nor final may still become a payment, and is queried. */
function reasonOf(resultCode: number): MomoReason {
  if (resultCode === AUTHORISED) return 'authorised'
  if (PENDING.has(resultCode)) return 'pending'
  return FAILED.has(resultCode) ? 'payment-failed' : 'unknown-result'
}

/** MoMo sends each payment once, maybe late: its own time is signed and yet makes nothing stale (docs/decisions/0019). */
export function openMomoNotices(keys: MomoKeys): NotificationReader {
  return {
    provider: 'momo',
    success: 204,
    verify: ({ raw }) => checkSignedJson(raw, (body) => isMomoSigned(body, keys)),
    read: readMomo,
  }
}
