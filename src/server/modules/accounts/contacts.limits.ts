import type { Limit } from '#server/platform/limits/limits.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

const limit = (name: string, points: number, seconds: number): Limit => ({
  name,
  points,
  seconds,
  kept: 'database',
})

/** Codes to one mailbox, whoever asks for them. */
export const CODES_PER_EMAIL = [limit('email code hour', 5, HOUR), limit('email code day', 10, DAY)]
/** A change of address takes two codes, so a player may ask for twice as many. */
export const CODES_PER_PLAYER = [
  limit('email code player hour', 10, HOUR),
  limit('email code player day', 20, DAY),
]
export const CODES_PER_ADDRESS = [limit('email code address hour', 100, HOUR)]
/** Codes typed by one player: a new code brings five new tries, but not for ever. */
export const TRIES_PER_PLAYER = [limit('contact code try', 20, DAY)]
