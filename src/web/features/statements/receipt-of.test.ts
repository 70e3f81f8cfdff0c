import { expect, test } from 'vitest'
import { receiptOf } from './receipt-of.ts'

const DELIVERY = '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1'

test('a line of the statement leads to the receipt of its order or its purchase', () => {
  expect(receiptOf({ type: 'recharge', reference: 'TCX7K2QF9XAMM' })).toBe('/recharge/TCX7K2QF9XAMM')
  for (const type of ['exchange', 'gift', 'refund'] as const) {
    expect(receiptOf({ type, reference: DELIVERY })).toBe(`/user/deliveries/${DELIVERY}`)
  }
})

test('a line that goes by the number of its transfer leads nowhere', () => {
  for (const type of ['recharge', 'transfer_in', 'adjustment', 'refund'] as const) {
    expect(receiptOf({ type, reference: '1042' })).toBeNull()
  }
})
