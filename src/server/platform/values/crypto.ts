import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits. The player has the token, the database only its hash: a reader of the table cannot use it. */
export function newToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

/** The hash to look a token up by; null for what was never a token of ours, which saves a query. */
export function tokenHashOf(token: string): Buffer | null {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? hashOf(token) : null
}

export const hashOf = (token: string) => createHash('sha256').update(token).digest()

export const sha256Hex = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** `stale` is a right signature over a wrong time. */
export type SignatureResult = 'valid' | 'stale' | 'bad'

export type TimedSignature = {
  /** The secret in use and, while it is being changed, the one before. */
  secrets: readonly string[]
  /** The prefix of the hexadecimal digits: `sha256=`, `v1=`. */
  prefix: string
  timestamp: string | undefined
  signature: string | undefined
  /** The bytes as they came over the wire, never the parsed body written out again. */
  raw: Uint8Array
  now: Date
  toleranceSeconds: number
}

/** HMAC-SHA256 of the time in Unix seconds, a dot, and the raw body; compared in constant time. */
export function verifyTimedSignature(input: TimedSignature): SignatureResult {
  const { prefix, timestamp = '', signature = '' } = input
  if (!/^\d{1,12}$/.test(timestamp) || !signature.startsWith(prefix)) return 'bad'
  const digits = signature.slice(prefix.length)
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) return 'bad'
  const given = Buffer.from(digits, 'hex')
  const isRight = usableSecrets(input.secrets)
    .map((secret) => timingSafeEqual(mac(secret, timestamp, input.raw), given))
    .includes(true)
  if (!isRight) return 'bad'
  const offSeconds = Math.abs(input.now.getTime() / 1000 - Number(timestamp))
  return offSeconds <= input.toleranceSeconds ? 'valid' : 'stale'
}

export type Signing = { secret: string; prefix: string; timestamp: string; raw: Uint8Array }

/** The value of the header, for the sandbox that plays the provider. */
export function signTimed({ secret, prefix, timestamp, raw }: Signing): string {
  if (secret === '') throw new RangeError('an empty secret signs nothing')
  return `${prefix}${mac(secret, timestamp, raw).toString('hex')}`
}

/** A secret that is not set must open nothing: anybody can sign with the empty one. */
export function usableSecrets(secrets: readonly string[]): string[] {
  return secrets.filter((secret) => secret.trim() !== '')
}

function mac(secret: string, timestamp: string, raw: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest()
}
