import { describe, expect, test } from 'vitest'
import { queryDelaySeconds } from '#server/modules/recharge/index.ts'
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

test('MoMo is queried after 1, 3, 10 and 30 minutes, then hourly without end', () => {
  const times = [0, 1, 3, 10, 30, 60, 61, 1_500]
  expect(times.map((minutes) => minutes + queryDelaySeconds(minutes * 60) / 60)).toEqual([
    1, 3, 10, 30, 60, 120, 120, 1_560,
  ])
  // Begun by a clock that was ahead.
  expect([-3, Infinity].map(queryDelaySeconds)).toEqual([60, 3_600])
})

test('“no such refund” proves nothing while the request may still be on its way', () => {
  const after = (minutes: number, queries = 2) => mustHaveArrived({ ageSeconds: minutes * 60, queries })
  expect([1, 2.9, 3].map((minutes) => after(minutes))).toEqual([false, false, true])
  expect([1_440, Infinity].map((minutes) => after(minutes, 1))).toEqual([false, false])
})
