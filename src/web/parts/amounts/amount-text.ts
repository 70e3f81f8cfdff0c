import { formatNumber } from '#contract/format-number.ts'

/** More digits than any amount may have; what is typed beyond them is dropped. */
const DIGITS_MAX = 15

/** What was typed, read as a whole amount. Everything but digits is decoration; nothing typed is no amount. */
export function parseAmount(text: string): number | null {
  const digits = text.replace(/\D/g, '').slice(0, DIGITS_MAX)
  return digits === '' ? null : Number(digits)
}

export function amountText(amount: number | null): string {
  return amount === null ? '' : formatNumber(amount)
}

/** Where the caret belongs in the formatted text so that as many digits stand before it as the player saw there. */
export function caretAfter(formatted: string, digitsBefore: number): number {
  let seen = 0
  let index = 0
  while (index < formatted.length && seen < digitsBefore) {
    if (/\d/.test(formatted.charAt(index))) seen += 1
    index += 1
  }
  return index
}

export function countDigits(text: string): number {
  return text.replace(/\D/g, '').length
}
