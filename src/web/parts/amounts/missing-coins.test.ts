import { expect, test } from 'vitest'
import { rechargeOf } from './missing-coins.tsx'

test('what is missing is recharged to the coin, in whole VND', () => {
  expect(rechargeOf(70_000, 1)).toBe('/recharge?amount=70000')
  expect(rechargeOf(70_001, 10)).toBe('/recharge?amount=7001')
})
