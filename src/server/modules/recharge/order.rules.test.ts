import { expect, test } from 'vitest'
import { ORDER_STATUSES } from '#contract/recharge.ts'
import { isFinal } from './order.rules.ts'

test('an order is over once it is paid or cancelled; while money may still come it is not', () => {
  expect(ORDER_STATUSES.filter(isFinal)).toEqual(['paid', 'paid_under', 'paid_over', 'cancelled'])
})
