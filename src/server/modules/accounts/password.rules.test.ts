import { readFileSync } from 'node:fs'
import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { isLongPassword, operatorPasswordFault, passwordFault } from './password.rules.ts'

const common = new Set(['password', 'matkhau123'])
const judge = (password: string, username = 'hoangtuan') => passwordFault({ username, password }, common)

test('a password equal to the username is refused in any case', () => {
  expect(judge('hoangtuan')).toBe('Mật khẩu không được trùng với tên đăng nhập')
  expect(judge('HoangTuan')).toBe('Mật khẩu không được trùng với tên đăng nhập')
})

test('a common password is refused in any case', () => {
  expect(judge('password')).toBe('Mật khẩu này quá phổ biến, vui lòng chọn mật khẩu khác')
  expect(judge('MatKhau123')).toBe('Mật khẩu này quá phổ biến, vui lòng chọn mật khẩu khác')
})

test('a password that only contains the username or a common one is accepted', () => {
  expect(judge('hoangtuan-trucdem')).toBeNull()
  expect(judge(' password ')).toBeNull()
})

test('an operator’s password has twelve characters or more', () => {
  expect(operatorPasswordFault('mười-một-kt')).toBe('Mật khẩu của người vận hành phải có ít nhất 12 kí tự')
  expect(operatorPasswordFault('mười-hai-kí-')).toBeNull()
  expect([isLongPassword('mười-một-kt'), isLongPassword('mười-hai-kí-')]).toEqual([false, true])
})

const lines = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

test('the list holds the 3,000 most common passwords that a registration would take', () => {
  const mostCommon = dictionary['passwords-common']
    .filter((password) => password.length >= 6 && password.length <= 20)
    .slice(0, 3_000)
  expect(mostCommon).toHaveLength(3_000)
  const listed = new Set(lines)
  expect(mostCommon.filter((password) => !listed.has(password.toLowerCase()))).toEqual([])
})

test('the list holds different passwords, in the form they are compared in', () => {
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines.filter((line) => !/^[\x21-\x7e]{6,20}$/.test(line) || line !== line.toLowerCase())).toEqual([])
  expect(lines).toEqual(expect.arrayContaining(['123456', 'password', 'qwerty', 'matkhau', 'anhyeuem']))
})
