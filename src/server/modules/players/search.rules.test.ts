import { expect, test } from 'vitest'
import { receiptNumber } from '#contract/deliveries.ts'
import { deliveriesBeginning } from './search.service.ts'

test('the beginning of a delivery’s id names a range of ids', () => {
  expect(deliveriesBeginning('0190A3B4-C')).toEqual([
    '0190a3b4c00000000000000000000000',
    '0190a3b4cfffffffffffffffffffffff',
  ])
  const whole = '0190a3b4-c5d6-7e8f-9012-3456789abcde'
  expect(deliveriesBeginning(whole)).toEqual(Array(2).fill(whole.replaceAll('-', '')))
})

test('a receipt is found by the number that its player reads out', () => {
  const number = receiptNumber('0190a3b4-c5d6-7e8f-9012-3456789abcde')
  expect(number).toBe('0190-A3B4')
  for (const typed of [number, '0190 a3b4', '0190A3B4'])
    expect(deliveriesBeginning(typed)?.[0]).toBe('0190a3b4000000000000000000000000')
})

test.each(['0190a3b', 'nguyenan1', `${'0'.repeat(33)}`, ''])('%o is the beginning of none', (text) => {
  expect(deliveriesBeginning(text)).toBeNull()
})
