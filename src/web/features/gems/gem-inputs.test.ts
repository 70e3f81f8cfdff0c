import { expect, test } from 'vitest'
import { FIRST_INPUTS, gemTotals, readInputs, sharePath } from './gem-inputs.ts'

const read = (text: string) => readInputs(new URLSearchParams(text))

test('a shared link brings the inputs back', () => {
  const inputs = { from: 3, to: 9, gemPrice: 12_345, serverPrice: 999_999_999_999_999 }
  const link = sharePath(inputs)
  expect(link).toBe('/gem-calculator?from=3&to=9&gem=12345&server=999999999999999')
  expect(readInputs(new URL(link, 'http://portal.test').searchParams)).toEqual(inputs)
})

test('a price that is not there yet stays out of the link', () => {
  expect(sharePath({ from: 0, to: 1, gemPrice: null, serverPrice: null })).toBe('/gem-calculator?from=0&to=1')
})

test.each([
  '',
  'from=10',
  'from=-1',
  'from=1.5',
  'to=0',
  'to=11',
  'to=abc',
  'gem=0',
  'gem=-5',
  'gem=1e9',
  'server=0',
  'server=1234567890123456',
])('"%s" counts as missing', (text) => {
  expect(read(text)).toEqual(FIRST_INPUTS)
})

test('a range that goes nowhere stays as it was shared, and has no totals', () => {
  expect(gemTotals(read('from=7&to=3'))).toEqual({ gems: null, coins: null, atm: null })
})

test('totals show as far as the inputs reach', () => {
  const inputs = { from: 0, to: 5, gemPrice: 10_000, serverPrice: 300_000 }
  expect(gemTotals(inputs)).toEqual({ gems: 371, coins: 3_710_000n, atm: 12n })
  expect(gemTotals({ ...inputs, serverPrice: null })).toEqual({ gems: 371, coins: 3_710_000n, atm: null })
  expect(gemTotals({ ...inputs, serverPrice: 0 })).toEqual({ gems: 371, coins: 3_710_000n, atm: null })
  expect(gemTotals({ ...inputs, gemPrice: null })).toEqual({ gems: 371, coins: null, atm: null })
})
