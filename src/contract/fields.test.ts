import { describe, expect, test } from 'vitest'
import { login, register } from './accounts/auth.ts'
import {
  sendEmailCode,
  sendSandboxSms,
  updateEmail,
  updatePhone,
  verifyOneTimeCode,
} from './accounts/one-time-codes.ts'
import { amountSchema } from './fields.ts'
import { changePassword, requestPasswordReset, resetPasswordViaPhone } from './accounts/passwords.ts'
import { transferBody } from './transfers.ts'

/** One number as autofill, contact lists and people write it. */
const WRITTEN = [
  '0912345678',
  '0912 345 678',
  '0912.345.678',
  '0912\u00a0345\u00a0678',
  '０９１２３４５６７８',
  '0912-345-678',
  '(0912) 345 678',
  '+84 912 345 678',
  '+84 (0) 912 345 678',
  '84912345678',
  '+84912345678',
  ' 0912345678\n',
  '0912\u00a0345\u00a0678',
  '0912\u202f345\u2011678',
  '\u202a+84 912 345 678\u202c',
]

const NOT_A_PHONE = [
  '091234567',
  '09123456789',
  '0212345678',
  '+1 912 345 678',
  '8491234567a',
  '0912/345/678',
]

const phoneFields = {
  register: register.body!.shape.phone,
  'one-time code': verifyOneTimeCode.body!.shape.phone,
  'new phone': updatePhone.body!.shape.newPhone,
  'reset by phone': resetPasswordViaPhone.body!.shape.phone,
}

/** The sandbox sends foreign numbers too, to show that they get nothing. */
const allPhoneFields = { ...phoneFields, sandbox: sendSandboxSms.body!.shape.phone }

describe.each(Object.entries(allPhoneFields))('the phone of: %s', (_name, field) => {
  test.each(WRITTEN)('takes %j for the one number', (written) => {
    expect(field.parse(written)).toBe('84912345678')
  })

  test.each(['', '  ', '\u00a0'])('calls %j empty', (blank) => {
    expect(field.safeParse(blank).error?.issues[0]?.message).toBe('Không được bỏ trống')
  })
})

test.each(Object.entries(phoneFields))(
  'no other text passes for a Vietnamese mobile number: %s',
  (_name, field) => {
    for (const written of NOT_A_PHONE) {
      expect(field.safeParse(written).error?.issues[0]?.message).toBe('Số điện thoại không hợp lệ')
    }
  },
)

const usernameFields = {
  login: login.body!.shape.username,
  register: register.body!.shape.username,
  forgot: requestPasswordReset.body!.shape.username,
  'reset by phone': resetPasswordViaPhone.body!.shape.username,
  payee: transferBody.shape.payee,
  referral: register.body!.shape.referral_id,
}

test.each(Object.entries(usernameFields))('blanks around a username do not count: %s', (_name, field) => {
  for (const written of ['hoangtuan ', ' hoangtuan', '\u00a0hoangtuan\t', 'hoangtuan']) {
    expect(field.parse(written)).toBe('hoangtuan')
  }
})

test.each(Object.entries(usernameFields))('what a username never has is left out: %s', (_name, field) => {
  for (const written of [
    '\u200bhoangtuan',
    'hoang\u00adtuan\ufeff',
    'ｈｏａｎｇｔｕａｎ',
    '\u202ahoangtuan\u202c',
  ]) {
    expect(field.parse(written)).toBe('hoangtuan')
  }
})

test('blanks inside a username are still refused at registration', () => {
  expect(register.body!.shape.username.safeParse('hoang tuan').success).toBe(false)
})

const emailFields = {
  register: register.body!.shape.email,
  forgot: requestPasswordReset.body!.shape.email,
  'new email': updateEmail.body!.shape.newEmail,
  'where a code goes': sendEmailCode.body!.shape.email,
}

test.each(Object.entries(emailFields))('blanks around an email do not count: %s', (_name, field) => {
  expect(field.parse(' Hoang@example.com\u00a0')).toBe('Hoang@example.com')
})

test('a blank email at registration is none', () => {
  for (const blank of ['', ' ', '\u00a0\t']) expect(register.body!.shape.email.parse(blank)).toBe('')
})

test('a new password has one form of its letters, and each letter with its marks counts as one', () => {
  const composed = 'ềỗửặợ ếộữ ằậ ởở ỳỹ'
  for (const typed of [composed, composed.normalize('NFD')]) {
    expect(register.body!.shape.password.parse(typed)).toBe(composed)
    expect(changePassword.body!.shape.password.parse(typed)).toBe(composed)
    expect(login.body!.shape.password.parse(typed)).toBe(typed)
  }
  const message = (typed: string) => register.body!.shape.password.safeParse(typed).error?.issues[0]?.message
  expect(message('ậ'.repeat(21).normalize('NFD'))).toBe('Tối đa 20 ký tự')
  expect(message('ậệ'.normalize('NFD'))).toBe('Tối thiểu 6 ký tự')
})

test('a password is taken as it is', () => {
  const password = ' mat khau '
  for (const field of [
    login.body!.shape.password,
    register.body!.shape.password,
    resetPasswordViaPhone.body!.shape.password,
    changePassword.body!.shape.current_password,
    changePassword.body!.shape.password,
  ]) {
    expect(field.parse(password)).toBe(password)
  }
})

test('an amount in JSON is a number, never a text', () => {
  expect(amountSchema.parse(1)).toBe(1)
  for (const amount of ['1', ' 1', 1.5, '1,000']) expect(amountSchema.safeParse(amount).success).toBe(false)
})

test('judging a long text takes time in proportion to its length', () => {
  const fields = [
    ...Object.values(allPhoneFields),
    ...Object.values(usernameFields),
    ...Object.values(emailFields),
  ]
  const pieces = [' ', '0', '84', '(0', '-.', '\u202a', 'a@', 'a.', '@', 'a']
  for (const field of fields) {
    for (const piece of pieces) {
      const text = piece.repeat(100_000)
      const started = performance.now()
      for (const written of [text, `0${text}`, `${text}!`, `a${text}@a`]) field.safeParse(written)
      // In proportion this takes some milliseconds; by the square of the length, minutes.
      expect(performance.now() - started, `${piece}…`).toBeLessThan(5_000)
    }
  }
})
