import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SignatureVerdict = 'valid' | 'stale' | 'bad'

export type SepaySignatureInput = {
  /** The secret in use and, while it is being changed, the one before. */
  secrets: readonly string[]
  timestamp: string | undefined
  signature: string | undefined
  /** The bytes as they came over the wire, never the parsed body written out again. */
  raw: Uint8Array
  now: Date
  toleranceSeconds: number
}

/** `stale` is a right signature over a wrong time: worth keeping for an operator, never worth crediting. */
export function verifySepaySignature(input: SepaySignatureInput): SignatureVerdict {
  const { timestamp = '', signature = '' } = input
  if (!/^\d{1,12}$/.test(timestamp) || !/^sha256=[0-9a-fA-F]{64}$/.test(signature)) return 'bad'
  const given = Buffer.from(signature.slice('sha256='.length), 'hex')
  const isRight = usable(input.secrets)
    .map((secret) => timingSafeEqual(sepayMac(secret, timestamp, input.raw), given))
    .includes(true)
  if (!isRight) return 'bad'
  const offSeconds = Math.abs(input.now.getTime() / 1000 - Number(timestamp))
  return offSeconds <= input.toleranceSeconds ? 'valid' : 'stale'
}

/** The value of `X-SePay-Signature`, for the sandbox that plays the provider. */
export function signSepay(secret: string, timestamp: string, raw: Uint8Array): string {
  if (secret === '') throw new RangeError('an empty secret signs nothing')
  return `sha256=${sepayMac(secret, timestamp, raw).toString('hex')}`
}

/** `Authorization: Apikey <key>`. */
export function verifyApiKey(header: string | undefined, keys: readonly string[]): boolean {
  const given = /^apikey (\S+)$/i.exec(header ?? '')?.[1]
  if (given === undefined) return false
  // Digests have one length, so that the comparison does not give away the key's.
  return usable(keys)
    .map((key) => timingSafeEqual(digest(key), digest(given)))
    .includes(true)
}

/** A secret that is not set must open nothing: anybody can sign with the empty one. */
function usable(secrets: readonly string[]): string[] {
  return secrets.filter((secret) => secret.trim() !== '')
}

function sepayMac(secret: string, timestamp: string, raw: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest()
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
