import { expect, test } from 'vitest'
import { codeDigits, codeOrRecovery } from './code-text.ts'

test.each([
  ['123 456', '123456'],
  ['123-456', '123456'],
  ['12345', '12345'],
  ['12345678', '123456'],
  ['Ma OTP: 012345.', '012345'],
  ['Ma OTP: 123 456', '123456'],
  ['[7039] Ma OTP cua ban la 123456, het han sau 5 phut. Khong chia se.', '123456'],
  ['Ma 654321 cho so 0912345678', '654321'],
  ['0912345678: ma 654-321', '654321'],
  ['abc', ''],
])('the code of %j is %j', (text, code) => {
  expect(codeDigits(text)).toBe(code)
})

test.each(['7K2M9-XQ4T0', '7k2m9 xq4t0', '12345-67890', '12345'])('%j may be a recovery code', (text) => {
  expect(codeOrRecovery(text)).toBe(text)
})

test('a code is read out of its message where a recovery code could stand as well', () => {
  expect(codeOrRecovery('Mã xác thực: 123 456')).toBe('123456')
})
