import { expect, test } from 'vitest'
import { changePassword } from '#contract/accounts/passwords.ts'
import { verifyOneTimeCode } from '#contract/accounts/one-time-codes.ts'
import { bodyOf, problemsOf } from './form-rules.ts'
import { checkNewPassword } from '#web/parts/forms/account-fields.tsx'

const start = { current_password: '', password: '', confirm_password: '' }
const rules = { start, check: checkNewPassword({}) }
const typed = { current_password: 'cu-12345', password: 'moi-12345', confirm_password: 'moi-12345' }

const messagesFor = (values: typeof typed) =>
  Object.fromEntries(
    Object.entries(problemsOf(changePassword, rules, values)).map(([name, { message }]) => [name, message]),
  )

test('a form is validated by the schema of its call and by its own rules at once', () => {
  expect(messagesFor(typed)).toEqual({})
  expect(messagesFor({ ...typed, password: '123' })).toEqual({
    password: 'Tối thiểu 6 ký tự',
    confirm_password: 'Mật khẩu nhập lại không chính xác',
  })
  expect(messagesFor(start)).toEqual({
    current_password: 'Không được bỏ trống',
    password: 'Không được bỏ trống',
    confirm_password: 'Không được bỏ trống',
  })
})

test('what only the form knows is not sent', () => {
  expect(bodyOf(changePassword, rules, typed)).toEqual({
    current_password: 'cu-12345',
    password: 'moi-12345',
  })
})

test('the sent body is parsed by the schema, with the fields that the form adds', () => {
  const withCode = {
    start: { phone: '' },
    toBody: ({ phone }: { phone: string }) => ({ phone, code: '123456' }),
  }
  const body = bodyOf(verifyOneTimeCode, withCode, { phone: '+84 912 345 601' })
  expect(body).toEqual({ phone: '84912345601', code: '123456' })
})

test('a message of the form takes precedence over that of the schema, and problems without a field are left out', () => {
  const own = {
    start: { phone: '' },
    check: () => ({ phone: 'Số khác' }),
    toBody: () => ({ phone: '', code: '' }),
  }
  expect(problemsOf(verifyOneTimeCode, own, { phone: '' })).toEqual({
    phone: { message: 'Số khác' },
  })
})
