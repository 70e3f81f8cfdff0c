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

export type PictureKind = 'jpeg' | 'png' | 'webp'

const starts = (bytes: Uint8Array, signature: readonly number[], at = 0) =>
  signature.every((byte, index) => bytes[at + index] === byte)

const JPEG = [0xff, 0xd8, 0xff]
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

/** A file's type by its first bytes; its name and declared type are not trusted. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  if (starts(bytes, JPEG)) return 'jpeg'
  if (starts(bytes, PNG)) return 'png'
  return starts(bytes, RIFF) && starts(bytes, WEBP, 8) ? 'webp' : null
}
