import { describe, expect, test } from 'vitest'
import { ORDER_STATUSES } from '#contract/recharge.ts'
import { requestedAmount, amountProblem, quickAmounts } from './recharge-amount.ts'
import { orderStateTexts } from './order.copy.ts'
import { orderStates } from './recharge.copy.ts'

const limits = { min: 20_000, max: 200_000 }

describe('the amount of a recharge', () => {
  test('has a button only where the channel accepts it', () => {
    expect(quickAmounts(limits)).toEqual([20_000, 50_000, 100_000, 200_000])
    expect(quickAmounts(undefined)).toEqual([10_000, 20_000, 50_000, 100_000, 200_000, 500_000])
  })

  test('is required and within the limits, which are named', () => {
    expect(amountProblem(null, limits)).toBe('Vui lòng nhập số tiền')
    expect(amountProblem(19_999, limits)).toBe('Số tiền tối thiểu là 20,000 VND')
    expect(amountProblem(200_001, limits)).toBe('Số tiền tối đa là 200,000 VND')
    expect(amountProblem(20_000, limits)).toBeUndefined()
    expect(amountProblem(200_000, limits)).toBeUndefined()
  })
})

describe('the amount in a link', () => {
  test.each([
    ['70000', 70_000],
    ['20000', 20_000],
    ['200000', 200_000],
    // Less than can be recharged: the least that can.
    ['5000', 20_000],
    ['200001', null],
    ['0', null],
    ['-70000', null],
    ['7e4', null],
    ['70,000', null],
    ['70000.5', null],
    [' 70000', null],
    ['', null],
    ['9'.repeat(30), null],
    [null, null],
  ])('%j is %j', (text, amount) => expect(requestedAmount(text, limits)).toBe(amount))
})

test('every state of an order has its own word and its own explanation', () => {
  const words = ORDER_STATUSES.map((status) => orderStates[status].label)
  const texts = ORDER_STATUSES.map((status) => orderStateTexts[status].text)
  expect(new Set(words).size).toBe(ORDER_STATUSES.length)
  expect(new Set(texts).size).toBe(ORDER_STATUSES.length)
})
