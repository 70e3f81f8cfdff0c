import { createHmac, timingSafeEqual } from 'node:crypto'

const FRESH_SECONDS = 300

export type SignedCall = { method: string; path: string; body: Buffer; header: string | undefined }

/**
 * Whether a call comes from the portal, just now: `t=<seconds>,v1=<hex>` is the HMAC-SHA256 over time, method, path with
 * its query, and the body as sent. Every secret is tried, so that the time does not reveal which one matched.
 */
export function isFromPortal(secrets: readonly string[], call: SignedCall, now: number): boolean {
  const [, seconds = '', hex = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(call.header ?? '') ?? []
  if (hex === '') return false
  const given = Buffer.from(hex, 'hex')
  const isRight = secrets
    .map((secret) =>
      timingSafeEqual(
        createHmac('sha256', secret)
          .update(`${seconds}.${call.method}.${call.path}.`)
          .update(call.body)
          .digest(),
        given,
      ),
    )
    .includes(true)
  return isRight && Math.abs(now / 1000 - Number(seconds)) <= FRESH_SECONDS
}
