import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signature of the calls between portal and game, in both directions. Only programs on a server import this. */

type UnsignedCall = { method: string; path: string; body?: string | Buffer }

const FRESH_SECONDS = 300

const digestOf = (secret: string, seconds: number | string, { method, path, body = '' }: UnsignedCall) =>
  createHmac('sha256', secret).update(`${seconds}.${method}.${path}.`).update(body).digest()

/** `t=<seconds>,v1=<hex>`: HMAC-SHA256 over time, method, path with its query, and the body as sent. */
export function signGameCall(secret: string, seconds: number, call: UnsignedCall): string {
  return `t=${seconds},v1=${digestOf(secret, seconds, call).toString('hex')}`
}

/**
 * Whether a call was signed with one of the secrets, within five minutes of `now` in milliseconds. Every secret is tried,
 * so that the time does not reveal which one matched.
 */
export function isSignedGameCall(
  secrets: readonly string[],
  { header, ...call }: UnsignedCall & { header: string | undefined },
  now: number,
): boolean {
  const [, seconds = '', hex = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (hex === '') return false
  const given = Buffer.from(hex, 'hex')
  const isRight = secrets
    .map((secret) => timingSafeEqual(digestOf(secret, seconds, call), given))
    .includes(true)
  return isRight && Math.abs(now / 1_000 - Number(seconds)) <= FRESH_SECONDS
}
