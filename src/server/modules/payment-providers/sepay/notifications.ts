import * as z from 'zod/mini'
import {
  signTimed,
  verifyTimedSignature,
  type SignatureResult,
  type TimedSignature,
} from '#server/platform/values/crypto.ts'
import {
  accountNumber,
  bankReference,
  faultyField,
  storableText,
  vietnamMoment,
  oneHeader,
} from '../notification.rules.ts'
import {
  MAX_TRANSFER_VND,
  type BankEvent,
  type ReadNotification,
  type NotificationReader,
} from '../payment-vendor.rules.ts'
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
