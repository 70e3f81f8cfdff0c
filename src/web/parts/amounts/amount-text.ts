import { formatNumber } from '#contract/format.ts'

/** More digits than any amount may have; what is typed beyond them is dropped. */
const DIGITS_MAX = 15

/** Longer texts are no amounts. */
const TEXT_MAX = 64

const UNIT = /(?:đ|₫|vnđ|vnd|đồng|tcoin|xu)$/i

/** Digits, or groups of three separated by one kind of sign. */
const WHOLE = /^(?:\d+|\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:\s\d{3})+))$/

/**
 * What was typed, read as a whole amount: null while there is none, undefined when it is something else, so that 1.5
 * never becomes 15 nor -5 a 5. A unit after it is ignored. The commas that the field itself has `shown` may be
 * anywhere, since digits between them are added and removed.
 */
export function parseAmount(text: string, shown = ''): number | null | undefined {
  const isOwn = commasOf(text) <= commasOf(shown)
  const typed = (isOwn ? text.replaceAll(',', '') : text).slice(0, TEXT_MAX).trim()
  if (!/[\d.,\p{Pd}−]/u.test(typed)) return null
  const digits = typed.replace(UNIT, '').trim()
  return WHOLE.test(digits) ? Number(digitsOf(digits).slice(0, DIGITS_MAX)) : undefined
}

const commasOf = (text: string) => text.split(',').length

const digitsOf = (text: string) => text.replace(/\D/g, '')

export function amountText(amount: number | null): string {
  return amount === null ? '' : formatNumber(amount)
}

/** Where to put the caret in the formatted text so that as many digits are before it as when it was typed. */
export function caretAfter(formatted: string, digitsBefore: number): number {
  let passed = 0
  let index = 0
  while (index < formatted.length && passed < digitsBefore) {
    if (/\d/.test(formatted.charAt(index))) passed += 1
    index += 1
  }
  return index
}

export function countDigits(text: string): number {
  return digitsOf(text).length
}
