import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { passwordFault } from './password.rules.ts'

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

test('the list holds at least 3,000 different passwords, in the form they are compared in', () => {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  const lines = text.trimEnd().split('\n')
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines.length).toBeGreaterThanOrEqual(3_000)
  expect(lines.filter((line) => !/^[\x21-\x7e]{6,20}$/.test(line) || line !== line.toLowerCase())).toEqual([])
  expect(lines).toEqual(expect.arrayContaining(['123456', 'password', 'qwerty', 'matkhau', 'anhyeuem']))
})
