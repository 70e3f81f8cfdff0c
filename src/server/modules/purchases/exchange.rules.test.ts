import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountsOnOffer, receiveFor } from './exchange.rules.ts'

test.each([
  // amount, luong per 100 TCoin, bonus %, luong
  [10_000, 30, 0, 3_000],
  [10_000, 30, 10, 3_300],
  [500_000, 30, 10, 165_000],
  [333, 30, 10, 109],
  [1, 30, 10, 0],
  [3, 30, 10, 0],
  [4, 30, 10, 1],
  [9_999, 1, 0, 99],
  [1_000_000_000, 100_000, 1_000, 11_000_000_000_000],
])(
  '%i TCoin at %i per 100 and %i %% more buy %i luong',
  (amount, exchangeRate, exchangeBonusPercent, luong) => {
    expect(receiveFor(amount, { exchangeRate, exchangeBonusPercent })).toBe(luong)
  },
)

const amount = fc.integer({ min: 1, max: 1_000_000_000 })
const rate = fc.integer({ min: 1, max: 100_000 })
const bonus = fc.integer({ min: 0, max: 1_000 })

test('the figure is the floor of the exact product, however large', () => {
  fc.assert(
    fc.property(amount, rate, bonus, (coins, exchangeRate, exchangeBonusPercent) => {
      const luong = BigInt(receiveFor(coins, { exchangeRate, exchangeBonusPercent }))
      const exact = BigInt(coins) * BigInt(exchangeRate) * BigInt(100 + exchangeBonusPercent)
      expect(luong * 10_000n <= exact).toBe(true)
      expect((luong + 1n) * 10_000n > exact).toBe(true)
    }),
  )
})

test('more coins, a better rate or a higher bonus never buy less', () => {
  fc.assert(
    fc.property(
      amount,
      rate,
      bonus,
      fc.nat({ max: 1_000 }),
      (coins, exchangeRate, exchangeBonusPercent, more) => {
        const luong = receiveFor(coins, { exchangeRate, exchangeBonusPercent })
        expect(receiveFor(coins + more, { exchangeRate, exchangeBonusPercent })).toBeGreaterThanOrEqual(luong)
        expect(
          receiveFor(coins, { exchangeRate: exchangeRate + more, exchangeBonusPercent }),
        ).toBeGreaterThanOrEqual(luong)
        expect(
          receiveFor(coins, { exchangeRate, exchangeBonusPercent: exchangeBonusPercent + more }),
        ).toBeGreaterThanOrEqual(luong)
      },
    ),
  )
})

test('what would buy nothing is not on offer, and the order is the operator’s', () => {
  const terms = { exchangeRate: 1, exchangeBonusPercent: 0, exchangeAmounts: [500, 99, 100, 1] }
  expect(amountsOnOffer(terms)).toEqual([
    { amount: 500, receive: 5 },
    { amount: 100, receive: 1 },
  ])
})
