import { sharedLimit } from '#server/platform/limits/limits.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** Codes to one mailbox, requested by anyone. */
export const CODES_PER_EMAIL = [
  sharedLimit('email code hour', 5, HOUR),
  sharedLimit('email code day', 10, DAY),
]
/** A change of address takes two codes, so a player may ask for twice as many. */
export const CODES_PER_PLAYER = [
  sharedLimit('email code player hour', 10, HOUR),
  sharedLimit('email code player day', 20, DAY),
]
export const CODES_PER_ADDRESS = [sharedLimit('email code address hour', 100, HOUR)]
/** Codes typed by one player: a new code brings five new tries, but not for ever. */
export const TRIES_PER_PLAYER = [sharedLimit('contact code try', 20, DAY)]
