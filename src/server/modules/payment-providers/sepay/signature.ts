import {
  signTimed,
  verifyTimedSignature,
  type SignatureVerdict,
  type TimedSignature,
} from '#server/platform/values/crypto.ts'
import { isSecret } from '../provider-call.ts'

const SEPAY_PREFIX = 'sha256='

export type SepaySignatureInput = Omit<TimedSignature, 'prefix'>

/** `stale` is worth keeping for an operator, never worth crediting. */
export function verifySepaySignature(input: SepaySignatureInput): SignatureVerdict {
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
