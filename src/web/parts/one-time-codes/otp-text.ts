import * as z from 'zod/mini'
import { canonicalPhone, EMAIL_INVALID, phone, requiredEmail } from '#contract/fields.ts'
import { oneTimeCode } from '#contract/accounts/one-time-codes.ts'
import { otpCopy as copy } from '#web/parts/one-time-codes/otp.copy.ts'

/**
 * What is wrong with a number before a code can be requested. The player's own number is known by its mask only: one
 * that does not match is reported before the message costs money.
 */
export function problemOfPhone(typed: string, mask: string | null = null): string | undefined {
  if (typed === '') return copy.phoneMissing
  const parsed = z.safeParse(phone, typed)
  if (!parsed.success) return parsed.error.issues[0]?.message
  return mask !== null && !fitsMask(typed, mask) ? copy.phoneDiffers(mask) : undefined
}

/** `091****601`: the first and the last three digits of the number as it is dialled at home. */
function fitsMask(typed: string, mask: string): boolean {
  const dialled = canonicalPhone(typed).replace(/^84/, '0')
  const [start = '', end = ''] = mask.split(/\*+/)
  return dialled.startsWith(start) && dialled.endsWith(end)
}

export function problemOfEmail(typed: string): string | undefined {
  if (typed === '') return copy.emailMissing
  return z.safeParse(requiredEmail, typed).success ? undefined : EMAIL_INVALID
}

/** What is wrong with a code that is sent with a call. */
export function problemOfCode(typed: string): string | undefined {
  const parsed = z.safeParse(oneTimeCode, typed)
  return parsed.success ? undefined : parsed.error.issues[0]?.message
}
