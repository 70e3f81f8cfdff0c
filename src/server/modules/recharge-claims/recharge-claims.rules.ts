import { CLAIM_AGE_DAYS_MAX } from '#contract/recharge-claims.ts'
import { paidInTheFuture, paidTooLongAgo } from './recharge-claims.errors.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Clocks of phones and banks differ a little. */
const GRACE_MS = 5 * MINUTE_MS

/** When the money was sent, if that may be: neither still to come nor too long ago to be found. */
export function readPaidAt(text: string, now: Date): Date {
  const paidAt = new Date(text)
  if (paidAt.getTime() > now.getTime() + GRACE_MS) throw paidInTheFuture()
  // Also what is no moment at all, like the 61st second of a minute.
  if (!(paidAt.getTime() >= now.getTime() - CLAIM_AGE_DAYS_MAX * DAY_MS)) throw paidTooLongAgo()
  return paidAt
}

/** References are written with and without gaps, in large and small letters. */
export const comparableReference = (reference: string): string => reference.replace(/\s/g, '').toUpperCase()
