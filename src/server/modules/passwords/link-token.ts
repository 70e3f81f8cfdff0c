import { createHash, randomBytes } from 'node:crypto'
import { isToken } from './resets.rules.ts'

/** 256 random bits. The letter holds the token, the database only its hash. */
export function newLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

/** Null for what was never a token of ours. */
export const linkTokenHash = (token: string): Buffer | null => (isToken(token) ? hashOf(token) : null)

const hashOf = (token: string) => createHash('sha256').update(token).digest()
