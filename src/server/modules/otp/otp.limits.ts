import type { Limit } from '#server/platform/limits/limits.ts'

/** Tries per client address. Wide, since carriers put thousands of players behind one; a phone has its own count. */
export const TRIES_PER_ADDRESS: Limit = {
  name: 'otp address',
  points: 300,
  seconds: 3_600,
  kept: 'database',
}
