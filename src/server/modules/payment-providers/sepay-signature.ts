import { createHash, timingSafeEqual } from 'node:crypto'
import {
  signTimed,
  usableSecrets,
  verifyTimedSignature,
  type SignatureVerdict,
  type TimedSignature,
} from '#server/platform/signatures/timed-signature.ts'

const SEPAY_PREFIX = 'sha256='

export type SepaySignatureInput = Omit<TimedSignature, 'prefix'>

/** `stale` is worth keeping for an operator, never worth crediting. */
export function verifySepaySignature(input: SepaySignatureInput): SignatureVerdict {
  return verifyTimedSignature({ ...input, prefix: SEPAY_PREFIX })
}

/** The value of `X-SePay-Signature`, for the sandbox that plays the provider. */
export function signSepay(secret: string, timestamp: string, raw: Uint8Array): string {
  return signTimed({ secret, prefix: SEPAY_PREFIX, timestamp, raw })
}

/** `Authorization: Apikey <key>`. */
export function verifyApiKey(header: string | undefined, keys: readonly string[]): boolean {
  const given = /^apikey (\S+)$/i.exec(header ?? '')?.[1]
  if (given === undefined) return false
  // Digests have one length, so that the comparison does not give away the key's.
  return usableSecrets(keys)
    .map((key) => timingSafeEqual(digest(key), digest(given)))
    .includes(true)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
