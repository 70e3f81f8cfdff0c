import { expect, test } from 'vitest'
import { deliveriesBeginning } from './search.service.ts'

test('the beginning of a delivery’s id names a range of ids', () => {
  expect(deliveriesBeginning('0190A3B4-C')).toEqual([
    '0190a3b4c00000000000000000000000',
    '0190a3b4cfffffffffffffffffffffff',
  ])
  const whole = '0190a3b4-c5d6-7e8f-9012-3456789abcde'
  expect(deliveriesBeginning(whole)).toEqual(Array(2).fill(whole.replaceAll('-', '')))
})

test.each(['0190a3b', 'nguyenan1', `${'0'.repeat(33)}`, ''])('%o is the beginning of none', (text) => {
  expect(deliveriesBeginning(text)).toBeNull()
})
