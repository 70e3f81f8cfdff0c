import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  signTimed,
  usableSecrets,
  verifyTimedSignature,
  type SignatureResult,
  type TimedSignature,
} from '#server/platform/values/crypto.ts'

const PREFIX = 'v1='
const TOLERANCE_SECONDS = 300

/** `X-Sms-Signature`. */
export function verifySms(input: Omit<TimedSignature, 'prefix' | 'toleranceSeconds'>): SignatureResult {
  return verifyTimedSignature({ ...input, prefix: PREFIX, toleranceSeconds: TOLERANCE_SECONDS })
}

export function signSms(secret: string, timestamp: string, raw: Uint8Array): string {
  return signTimed({ secret, prefix: PREFIX, timestamp, raw })
}

/** Parameters of a query by name; one that is absent counts as empty. */
export type Parameters = Readonly<Record<string, string>>

/** eSMS: MD5 over the values and the secret, one after the other. The sender is not among them. */
export function isSignedByEsms(secrets: readonly string[], given: Parameters): boolean {
  const { cpid = '', smsid = '', content = '', receiverTime = '', sign = '' } = given
  return usableSecrets(secrets)
    .map((secret) =>
      isDigest(sign, createHash('md5').update(`${cpid}${smsid}${content}${receiverTime}${secret}`).digest()),
    )
    .includes(true)
}

const ONEPAY_NAMES = [
  'access_key',
  'command',
  'mo_message',
  'msisdn',
  'request_id',
  'request_time',
  'short_code',
]

/** 1pay: HMAC-SHA256 over seven pairs in alphabetical order, not encoded. */
export function isSignedByOnepay(secrets: readonly string[], given: Parameters): boolean {
  const pairs = ONEPAY_NAMES.map((name) => `${name}=${given[name] ?? ''}`).join('&')
  return usableSecrets(secrets)
    .map((secret) => isDigest(given['signature'] ?? '', createHmac('sha256', secret).update(pairs).digest()))
    .includes(true)
}

function isDigest(hex: string, digest: Buffer): boolean {
  if (hex.length !== digest.length * 2 || !/^[0-9a-fA-F]*$/.test(hex)) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), digest)
}
