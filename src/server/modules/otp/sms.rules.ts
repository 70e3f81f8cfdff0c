import { OTP_LENGTH, SMS_OTP_TEXT, SMS_SHORT_CODE } from '#contract/constants.ts'
import { canonicalPhone } from '#contract/fields.ts'
import { VERIFY_MINUTES_MAX } from './codes.rules.ts'

/** One message of a player to the short code, whichever provider brought it. */
export type SmsMessage = {
  provider: string
  /** The provider's own; a repeat has the same. */
  messageId: string
  /** The sender as the provider writes it. */
  msisdn: string
  text: string
  receivedAt: Date
}

export type SmsOutcome = 'code' | 'help' | 'late' | 'too-often' | 'closed' | 'foreign'

const LATE_MS = 10 * 60_000

/** Codes that one phone may have: so many in so many seconds, all of them at once. */
const PHONE_LIMITS = [
  { codes: 1, seconds: 60 },
  { codes: 5, seconds: 3_600 },
  { codes: 10, seconds: 86_400 },
] as const

/** As many of a phone's newest codes as the limits count. */
export const CODES_COUNTED = 10

/** Codes a day for numbers that begin alike: a block of a million, of which thousands may play. */
export const PREFIX_CODES_PER_DAY = 2_000
/** Codes a day for all. Each answer costs the portal a message. */
export const CODES_PER_DAY = 20_000
/** The part of the day's codes at which the log first warns. */
const WARNING_PERCENT = 80

/** Trimmed, one blank between words, capitals, no marks: `  thn  ótp ` is `THN OTP`. */
export function normaliseText(text: string): string {
  return unmarked(text).replace(/\s+/gu, ' ').trim().toUpperCase().replaceAll('Đ', 'D')
}

const unmarked = (text: string) => text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')

export function isCodeRequest(text: string): boolean {
  return normaliseText(text) === SMS_OTP_TEXT
}

/** The canonical form of a Vietnamese mobile number as providers write it, `84…`, `0…` or `+84…`; null for every other sender. */
export function vietnameseMobile(msisdn: string): string | null {
  const sender = msisdn.trim()
  return /^(?:\+?84|0)[35789]\d{8}$/.test(sender) ? canonicalPhone(sender) : null
}

/** `84901234567` → `8490****567`, the way logs name a phone. */
export function maskMsisdn(msisdn: string): string {
  return msisdn.length < 10 ? '****' : `${msisdn.slice(0, 4)}****${msisdn.slice(-3)}`
}

/** `84901234567` → `84901`. */
export function prefixOf(phone: string): string {
  return phone.slice(0, 5)
}

export function isLate(receivedAt: Date, now: Date): boolean {
  return now.getTime() - receivedAt.getTime() > LATE_MS
}

const EARLY_MS = 5 * 60_000

/** Further ahead than two clocks may differ. */
export function isTooEarly(receivedAt: Date, now: Date): boolean {
  return receivedAt.getTime() - now.getTime() > EARLY_MS
}

/** Seconds until a phone may have its next code, 0 for at once. `ages` are those of its codes in seconds, newest first. */
export function waitBeforeNext(ages: readonly number[]): number {
  const waits = PHONE_LIMITS.map(({ codes, seconds }) => seconds - (ages[codes - 1] ?? seconds))
  return Math.max(0, Math.ceil(Math.max(...waits)))
}

export function mayMakeCode(today: { ofPrefix: number; ofAll: number }): boolean {
  return today.ofPrefix < PREFIX_CODES_PER_DAY && today.ofAll < CODES_PER_DAY
}

/** The part of the day's codes that has just been reached, when it is one to warn of. */
export function reachedPercent(sentToday: number): number | null {
  if (sentToday === CODES_PER_DAY) return 100
  return sentToday === (CODES_PER_DAY * WARNING_PERCENT) / 100 ? WARNING_PERCENT : null
}

const SITE_CHARS_MAX = 30

/** A site's name as any phone shows it: `Tinh Hoa Ninja` of `Tinh Hoa Ninja`, `Dao Ninja` of `Đảo Ninja`. */
function asciiName(siteName: string): string {
  const ascii = unmarked(siteName)
    .replace(/đ/g, 'd')
    .replace(/Đ/g, 'D')
    .replace(/[^\x20-\x7e]/g, '')
  return ascii.trim().slice(0, SITE_CHARS_MAX).trim() || 'Cong game'
}

const INSTRUCTION = `soan ${SMS_OTP_TEXT} gui ${SMS_SHORT_CODE}`

/**
 * What is answered, in the site's name: ASCII, at most 160 characters, so that each is one message on any phone. It
 * depends on the message and on what the phone requested before, never on whether an account has the number.
 */
export function repliesOf(siteName: string) {
  const site = asciiName(siteName)
  return {
    code: (code: string) =>
      `Ma OTP ${site} cua ban la ${code}, co hieu luc trong ${VERIFY_MINUTES_MAX} phut. Khong dua ma nay cho bat ki ai.`,
    help: `${site}: Cu phap khong dung. De nhan ma OTP gom ${OTP_LENGTH} chu so, ban ${INSTRUCTION}.`,
    late: `${site}: Tin nhan cua ban den qua muon nen da het han. De nhan ma OTP, ban vui long ${INSTRUCTION} lan nua.`,
    closed: `${site}: He thong dang tam ngung gui ma OTP vi qua tai. Ban vui long thu lai vao ngay mai.`,
    tooOften: (waitSeconds: number) =>
      `${site}: Ban da yeu cau ma OTP qua nhieu lan. Vui long thu lai sau ${durationText(waitSeconds)}.`,
  }
}

/** Rounded up: who waits that long is let in. */
function durationText(seconds: number): string {
  if (seconds <= 60) return `${seconds} giay`
  if (seconds <= 3_600) return `${Math.ceil(seconds / 60)} phut`
  return `${Math.ceil(seconds / 3_600)} gio`
}
