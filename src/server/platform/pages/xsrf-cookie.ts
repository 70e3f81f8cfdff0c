import { randomFillSync } from 'node:crypto'

const XSRF_COOKIE = 'XSRF-TOKEN'
const TOKEN_BYTES = 24
/** Random bytes are drawn for so many tokens at once: each drawing costs as much as many tokens. */
const TOKENS_DRAWN = 200

/**
 * Makes the cookie of a visitor who has none yet. The client sends it back as a header (spec §7), so scripts may read it.
 * It grants nothing by itself.
 */
export function xsrfCookies(isSecure: boolean): (cookies: string | undefined) => string | undefined {
  const pool = Buffer.alloc(TOKEN_BYTES * TOKENS_DRAWN)
  let at = pool.length
  return (cookies) => {
    if (cookies?.includes(`${XSRF_COOKIE}=`)) return undefined
    if (at === pool.length) {
      randomFillSync(pool)
      at = 0
    }
    const token = pool.toString('base64url', at, at + TOKEN_BYTES)
    at += TOKEN_BYTES
    return `${XSRF_COOKIE}=${token}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }
}
