import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import {
  gameLimits,
  lettersInWords,
  nameFault,
  nameLengthOf,
  passwordLengthOf,
  passwordLimitFault,
} from './limits.ts'

test.each([
  [{}, 'kiemkhach2026'],
  [{ name: {} }, 'kiemkhach2026'],
  [{ name: { least: 1, most: 64, letters: 'A-Za-z0-9_.' } }, 'KiemKhach2026'],
  [{ name: { most: 9, letters: '\\w' } }, 'KiemKhach'],
])('limits %j leave the name %s alone', (limits, name) => {
  expect(nameFault(limits, name)).toBeNull()
})

test.each([
  [{ name: { most: 8 } }, 'kiemkhach', 'Tên đăng nhập trong game có tối đa 8 ký tự'],
  [{ name: { least: 10 } }, 'kiemkhach', 'Tên đăng nhập trong game có tối thiểu 10 ký tự'],
  [{ name: { letters: 'a-z' } }, 'KiemKhach9', 'Tên đăng nhập trong game chỉ gồm a–z'],
  [{ name: { letters: 'a-fx0-9' } }, 'kiemkhach', 'Tên đăng nhập trong game chỉ gồm a–f, x, 0–9'],
])('limits %j refuse %s', (limits, name, fault) => {
  expect(nameFault(limits, name)).toBe(fault)
})

test('the portal’s own rules are the outer bounds, and keep their own messages', () => {
  const limits = { name: { least: 2, most: 40 }, password: { least: 8, most: 64 } }
  expect([nameLengthOf(limits), passwordLengthOf(limits)]).toEqual([
    { least: 6, most: 20 },
    { least: 8, most: 20 },
  ])
  for (const name of ['', 'kiem', 'a'.repeat(21), 'kiếm khách'])
    expect(nameFault({ name: { least: 5, most: 64, letters: 'a-z' } }, name)).toBeNull()
})

test('a password is counted in letters with their marks', () => {
  const limits = { password: { most: 8 } }
  expect(passwordLimitFault(limits, 'kiếmsắcế'.normalize('NFD'))).toBeNull()
  expect(passwordLimitFault(limits, 'kiemsacbe')).toBe('Mật khẩu trong game có tối đa 8 ký tự')
})

test.each(['', 'a-z]', '^a', 'z-a', '[a', 'a\\', '\\b', 'á', '('.repeat(65)])(
  'letters %j are none',
  (letters) => {
    expect(z.safeParse(gameLimits, { name: { letters } }).success).toBe(false)
  },
)

test('letters that are signs elsewhere in an expression are letters here', () => {
  const limits = z.parse(gameLimits, { name: { letters: '(a|b)*$' } })
  expect(lettersInWords(limits)).toBe('a–b')
})
