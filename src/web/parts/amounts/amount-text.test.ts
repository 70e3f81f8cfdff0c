import { describe, expect, test } from 'vitest'
import { amountText, caretAfter, countDigits, parseAmount } from './amount-text.ts'

describe('an amount while it is typed', () => {
  test('is read without its commas, dots and blanks', () => {
    expect(parseAmount('1,234,567')).toBe(1_234_567)
    expect(parseAmount(' 50.000 đ')).toBe(50_000)
    expect(parseAmount('007')).toBe(7)
  })

  test('is no amount while nothing is typed, and zero when zero is', () => {
    expect(parseAmount('')).toBeNull()
    expect(parseAmount('abc')).toBeNull()
    expect(parseAmount('0')).toBe(0)
  })

  test('is not made of what is no whole amount', () => {
    for (const text of ['1.5', '1,5', '-5', '−5', '1e5', '2e', '1.50', '1.', '-', '12,34', '1.500,5'])
      expect(parseAmount(text), text).toBeUndefined()
  })

  test('is read in thousands, however they are parted', () => {
    for (const text of ['1500000', '1,500,000', '1.500.000', '1 500 000', '1.500.000 VND'])
      expect(parseAmount(text), text).toBe(1_500_000)
  })

  test('may lose or gain digits between the commas that the field has put there', () => {
    expect(parseAmount('1,5000', '1,500')).toBe(15_000)
    expect(parseAmount('1,50', '1,500')).toBe(150)
    expect(parseAmount('1,5', '1')).toBeUndefined()
  })

  test('never grows beyond what a number holds exactly', () => {
    const longest = parseAmount('9'.repeat(40))
    expect(longest).toBe(999_999_999_999_999)
    expect(Number.isSafeInteger(longest)).toBe(true)
  })

  test('is shown with comma separators', () => {
    expect(amountText(1_234_567)).toBe('1,234,567')
    expect(amountText(0)).toBe('0')
    expect(amountText(null)).toBe('')
  })
})

describe('the caret', () => {
  test.each([
    { formatted: '12,345', digitsBefore: 0, caret: 0 },
    { formatted: '12,345', digitsBefore: 2, caret: 2 },
    { formatted: '12,345', digitsBefore: 3, caret: 4 },
    { formatted: '1,234,567', digitsBefore: 7, caret: 9 },
    { formatted: '', digitsBefore: 3, caret: 0 },
  ])('stays behind digit $digitsBefore of $formatted', ({ formatted, digitsBefore, caret }) => {
    expect(caretAfter(formatted, digitsBefore)).toBe(caret)
    expect(countDigits(formatted.slice(0, caret))).toBe(Math.min(digitsBefore, countDigits(formatted)))
  })
})
