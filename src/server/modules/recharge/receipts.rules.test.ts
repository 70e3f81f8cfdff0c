import { expect, test } from 'vitest'
import { maskReference } from './receipts.rules.ts'

test('a bank’s reference is shown by its end only', () => {
  expect(maskReference('FT26325123456789')).toBe('••••6789')
  expect(maskReference('A1')).toBe('•1')
  expect(maskReference('7')).toBe('•')
})
