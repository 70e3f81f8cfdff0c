import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { usableSecrets } from '#server/platform/signatures/timed-signature.ts'

export type HmacAlgorithm = 'sha256' | 'sha512'

/** Hexadecimal digits, as all providers write them. */
export function hmacHex(algorithm: HmacAlgorithm, secret: string, text: string): string {
  if (secret === '') throw new RangeError('an empty secret signs nothing')
  return createHmac(algorithm, secret).update(text).digest('hex')
}

/** Whether the digits given are one of those made, in a time that does not depend on how much of it matches. */
export function isOneOf(given: string, made: readonly string[]): boolean {
  return made
    .map((digits) => {
      const isShaped = given.length === digits.length && /^[0-9a-fA-F]+$/.test(given)
      return isShaped && timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(digits, 'hex'))
    })
    .includes(true)
}

/** A secret that is sent along as it is. Digests have one length, so that the comparison does not give away the secret's. */
export function isSecret(given: string, secrets: readonly string[]): boolean {
  return usableSecrets(secrets)
    .map((secret) => timingSafeEqual(digest(secret), digest(given)))
    .includes(true)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
