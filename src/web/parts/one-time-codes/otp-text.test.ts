import { expect, test } from 'vitest'
import { problemOfCode, problemOfEmail, problemOfPhone } from './otp-text.ts'

test('a number is read without its blanks and its plus', () => {
  expect(problemOfPhone('+84 912.345-601')).toBeUndefined()
  expect(problemOfPhone('+84 912.345-601', '091****601')).toBeUndefined()
})

test('a code is requested for a Vietnamese mobile number only', () => {
  expect(problemOfPhone('')).toBe('Vui lòng nhập số điện thoại')
  expect(problemOfPhone('0212345678')).toBe('Số điện thoại không hợp lệ')
  expect(problemOfPhone('091234560')).toBe('Số điện thoại không hợp lệ')
  expect(problemOfPhone('0912345601')).toBeUndefined()
  expect(problemOfPhone('84912345601')).toBeUndefined()
})

test('a number that cannot be the player’s own is recognised by the mask, in either form', () => {
  const mask = '091****601'
  expect(problemOfPhone('0912345601', mask)).toBeUndefined()
  expect(problemOfPhone('84912345601', mask)).toBeUndefined()
  expect(problemOfPhone('0912345602', mask)).toBe('Số này không khớp với số 091****601 của bạn')
  expect(problemOfPhone('0982345601', mask)).toBe('Số này không khớp với số 091****601 của bạn')
})

test('an address must be there and be one', () => {
  expect(problemOfEmail('')).toBe('Vui lòng nhập email')
  expect(problemOfEmail('hoangtuan@')).toBe('Email không hợp lệ')
  expect(problemOfEmail('hoangtuan@example.com')).toBeUndefined()
})

test('a code that goes along with an act must be whole', () => {
  expect(problemOfCode('')).toBe('Không được bỏ trống')
  expect(problemOfCode('12345')).toBe('Mã OTP gồm 6 chữ số')
  expect(problemOfCode('012345')).toBeUndefined()
})
