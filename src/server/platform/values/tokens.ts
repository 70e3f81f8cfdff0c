import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits. The player has the token, the database only its hash: a reader of the table cannot use it. */
export function newToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

/** The hash to look a token up by; null for what was never a token of ours, which spares the database the question. */
export function tokenHashOf(token: string): Buffer | null {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? hashOf(token) : null
}

export const hashOf = (token: string) => createHash('sha256').update(token).digest()
