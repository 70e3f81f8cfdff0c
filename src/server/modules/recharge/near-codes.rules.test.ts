import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { quickest } from '#tests/support/timing.ts'
import { isOrderCode, makeOrderCode, nearOrderCodes } from './order-code.rules.ts'

const CODE = 'TCX7K2QF9XAMM'

test.each([
  ['one character wrong', 'TCX7K2QF9XABM'],
  ['the check character wrong', 'TCX7K2QF9XAMN'],
  ['one of the prefix wrong', 'TXX7K2QF9XAMM'],
  ['one that is not of the alphabet', 'TCX7K2QF9XA0M'],
  ['one missing', 'TCX7K2QF9XMM'],
  ['the last one missing', 'TCX7K2QF9XAM'],
  ['one too many', 'TCX7K2QQF9XAMM'],
  ['two neighbours swapped', 'TCX7K2FQ9XAMM'],
  ['small letters, cut, within a bank’s line', 'MBVCB.3278907687.tcx7k2 qf9xabm.CT tu 0011'],
])('a code with %s is found again', (_, text) => {
  expect(nearOrderCodes(text)).toContain(CODE)
})

test.each(['', 'chuyen tien', 'TCX', 'TCX7K', 'TCX7K2QF9', 'MBVCB.3278907687.CT tu 0011000000009'])(
  'nothing is near %o',
  (text) => {
    expect(nearOrderCodes(text)).toEqual([])
  },
)

test('each answer is a valid code, and there are few of them, also for a text made to have many', async () => {
  const spoilt = () => makeOrderCode(randomInt).replace(/.$/, 'A')
  for (let round = 0; round < 20; round++) {
    const near = nearOrderCodes(spoilt())
    expect(near.every(isOrderCode)).toBe(true)
    expect(near.length).toBeLessThan(60)
  }
  const longest = Array.from({ length: 500 }, spoilt).join(' ')
  const search = () => {
    expect(nearOrderCodes(longest).length).toBeLessThanOrEqual(300)
    expect(nearOrderCodes('TCX'.repeat(10_000)).length).toBeLessThanOrEqual(300)
  }
  expect(await quickest(search)).toBeLessThan(500)
})
