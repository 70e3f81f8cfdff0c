import {
  signTimed,
  verifyTimedSignature,
  type SignatureResult,
  type TimedSignature,
} from '#server/platform/values/crypto.ts'
import { readNoticeBody } from '../notice-body.rules.ts'
import { amountOf, directionOf, idOf, readElement, readList, type Vendor } from '../notice-fields.ts'
import { oneHeader } from '../notification.rules.ts'
import type { NotificationReader, PaymentEventFact } from '../payment-vendor.rules.ts'
import { isSecret } from '../provider-call.ts'

const SEPAY_PREFIX = 'sha256='

export type SepaySignatureInput = Omit<TimedSignature, 'prefix'>

/** `stale` is stored for an operator, never credited. */
export function verifySepaySignature(input: SepaySignatureInput): SignatureResult {
  return verifyTimedSignature({ ...input, prefix: SEPAY_PREFIX })
}

/** The value of `X-SePay-Signature`, for the sandbox that plays SePay. */
export function signSepay(secret: string, timestamp: string, raw: Uint8Array): string {
  return signTimed({ secret, prefix: SEPAY_PREFIX, timestamp, raw })
}

/** `Authorization: Apikey <key>`. */
export function verifyApiKey(header: string | undefined, keys: readonly string[]): boolean {
  const given = /^apikey (\S+)$/i.exec(header ?? '')?.[1]
  return given !== undefined && isSecret(given, keys)
}

const NAMES = {
  account: ['accountNumber'],
  virtual: ['subAccount'],
  amounts: ['transferAmount'],
  reference: ['referenceCode'],
  memo: ['content'],
  line: ['description'],
  code: ['code'],
  time: ['transactionDate'],
  payer: [],
}

const SEPAY: Vendor = {
  provider: 'sepay',
  names: NAMES,
  id: ({ id }) => idOf(id),
  movement({ transferType, transferAmount }) {
    const amount = amountOf(transferAmount) ?? 0
    return { direction: directionOf(transferType), amountVnd: amount > 0 ? amount : undefined }
  },
}

/** Reads a notification whose signature has been found right. The bytes are those that were signed. */
export function readSepay(raw: Buffer, contentType?: string): PaymentEventFact[] {
  const body = readNoticeBody(raw, contentType)
  return Array.isArray(body) ? readList(SEPAY, body, raw) : [readElement(SEPAY, body, { raw })]
}

const TOLERANCE_SECONDS = 300

type SepayKeys = { secrets: string[]; apiKeys: string[] }

/** Of a signed notification the signature alone is checked: an API key beside it does not help. */
export function openSepayNotices(keys: SepayKeys): NotificationReader {
  return {
    provider: 'sepay',
    success: 200,
    verify(notification, now) {
      if (notification.headers['x-sepay-signature'] === undefined)
        return verifyApiKey(oneHeader(notification, 'authorization'), keys.apiKeys) ? 'valid' : 'bad'
      return verifySepaySignature({
        secrets: keys.secrets,
        timestamp: oneHeader(notification, 'x-sepay-timestamp'),
        signature: oneHeader(notification, 'x-sepay-signature'),
        raw: notification.raw,
        now,
        toleranceSeconds: TOLERANCE_SECONDS,
      })
    },
    read: readSepay,
  }
}
