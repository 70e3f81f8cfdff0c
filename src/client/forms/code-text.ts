import { OTP_LENGTH } from '#contract/constants.ts'

/** Six digits that stand alone, also as `123 456` or `123-456`; not the number of a short code or the middle of a phone number. */
const STANDING_ALONE = /(?:^|[^\w+])(\d{3})[\s.-]?(\d{3})(?!\w)/

/** The digits of a code as it is typed or pasted, also with the text of its message around it; what is beyond six is dropped. */
export function codeDigits(text: string): string {
  const found = STANDING_ALONE.exec(text)
  if (found) return `${found[1]}${found[2]}`
  return text.replace(/\D/g, '').slice(0, OTP_LENGTH)
}

/** The same for a field that takes a recovery code too, whose letters and digits stay as they are. */
export function codeOrRecovery(text: string): string {
  return STANDING_ALONE.test(text) ? codeDigits(text) : text
}
