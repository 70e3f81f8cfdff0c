import { expect, test } from 'vitest'
import { receiptOf, shortReference, monthsOf } from './statement-rows.tsx'

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

test('the code of an order and a number are shown whole, the id of a purchase by its beginning', () => {
  expect(shortReference('TCX7K2QF9XAMM')).toEqual({ shown: 'TCX7K2QF9XAMM', isCut: false })
  expect(shortReference('10427')).toEqual({ shown: '10427', isCut: false })
  const id = '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1'
  expect(shortReference(id)).toEqual({ shown: '0198f5a2', isCut: true })
})

test('lines are put into the months of Vietnam, in their order', () => {
  const [first, last, before] = ['2026-11-30T16:59:59Z', '2026-10-31T17:00:00Z', '2026-10-31T16:59:59Z'].map(
    (created_at) => ({ created_at }),
  )
  expect(monthsOf([first!, last!, before!])).toEqual([
    { name: '11/2026', lines: [first, last] },
    { name: '10/2026', lines: [before] },
  ])
  expect(monthsOf([])).toEqual([])
})
