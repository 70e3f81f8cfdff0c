import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { coinsFor } from './order.rules.ts'

test.each([
  [1, 1, 1],
  [50_000, 1, 50_000],
  [50_000, 2, 100_000],
  [10_000_000_000_000, 900, 9_000_000_000_000_000],
])('%d VND at %d TCoin each are %d TCoin', (amountVnd, rate, coins) => {
  expect(coinsFor(amountVnd, rate)).toBe(coins)
})

test('coins are exact, and money that comes in two parts buys what it would have bought at once', () => {
  const part = fc.integer({ min: 1, max: 1_000_000_000 })
  fc.assert(
    fc.property(part, part, fc.integer({ min: 1, max: 1000 }), (first, second, rate) => {
      expect(coinsFor(first, rate) + coinsFor(second, rate)).toBe(coinsFor(first + second, rate))
      expect(BigInt(coinsFor(first, rate))).toBe(BigInt(first) * BigInt(rate))
    }),
  )
})

test.each([
  [0, 1],
  [-1, 1],
  [1.5, 1],
  [Number.NaN, 1],
  [Number.POSITIVE_INFINITY, 1],
  [2 ** 53, 1],
  [1, 0],
  [1, -1],
  [1, 0.5],
  [1, Number.NaN],
  [10_000_000_000_000, 901],
])('%d VND at %d TCoin each is refused', (amountVnd, rate) => {
  expect(() => coinsFor(amountVnd, rate)).toThrow(RangeError)
})
