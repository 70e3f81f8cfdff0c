import { describe, expect, test } from 'vitest'
import { nextQueryAt } from '#server/modules/recharge/index.ts'
import { mustHaveArrived, refundAmount } from './gateway-refunds.rules.ts'

describe('what goes back', () => {
  test.each([
    ['everything, unless a part is named', 50_000, null, 50_000],
    ['the part that is named', 50_000, 20_000, 20_000],
    ['as much as MoMo sends at once', 60_000_000, null, 50_000_000],
    ['never more than is left', 50_000, 50_001, null],
    ['not so little that MoMo does not send it', 999, null, null],
    ['not so much that MoMo does not send it', 60_000_000, 50_000_001, null],
  ])('is %s', (_, left, requested, amount) => {
    expect(refundAmount(left, requested)).toBe(amount)
  })
})

const requestedAt = new Date('2026-11-21T10:00:00Z')
const after = (minutes: number) => new Date(requestedAt.getTime() + minutes * 60_000)

test('MoMo is queried after 1, 3, 10 and 30 minutes, then hourly without end', () => {
  const times = [0, 1, 3, 10, 30, 60, 61, 1_500]
  expect(times.map((minutes) => nextQueryAt(requestedAt, after(minutes)))).toEqual(
    [1, 3, 10, 30, 60, 120, 120, 1_560].map(after),
  )
})

test('“no such refund” proves nothing while the request may still be on its way', () => {
  expect([1, 2.9, 3].map((minutes) => mustHaveArrived(requestedAt, after(minutes)))).toEqual([
    false,
    false,
    true,
  ])
})
