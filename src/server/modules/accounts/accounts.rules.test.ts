import { dictionary } from '@zxcvbn-ts/language-common'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  isStaffName,
  isLongPassword,
  operatorPasswordFault,
  passwordFault,
  hashesAtOnce,
  importHashesAtOnce,
} from './accounts.rules.ts'
import { ORDINARY, POSING } from './testing/player-names.ts'

const SITES = ['Tinh Hoa Đảo Ninja', 'Cổng Ninja', '忍者']

test('names that pose as staff or as the portal are refused, in every form', () => {
  expect(POSING.length).toBeGreaterThanOrEqual(60)
  const names = POSING.flatMap((name) => [name, name.toUpperCase()])
  expect(names.filter((name) => !isStaffName(name, 'Tinh Hoa Đảo Ninja'))).toEqual([])
})

test('ordinary names of players are free', () => {
  expect(new Set(ORDINARY).size).toBeGreaterThanOrEqual(150)
  for (const site of SITES) expect(ORDINARY.filter((name) => isStaffName(name, site))).toEqual([])
})

test('the name of the portal is allowed inside other names', () => {
  expect(isStaffName('tinhhoadaoninja7', 'Khác')).toBe(false)
})

test('a short name of the site is its own, and what begins with it is anybody’s', () => {
  const isTaken = (name: string) => isStaffName(name, 'Ninja')
  expect(['ninja', 'NINJA99', 'n1nja'].map(isTaken)).toEqual([true, true, true])
  expect(isTaken('ninjabao')).toBe(false)
})

const common = new Set(['password', 'matkhau123'])
const faultOf = (password: string, username = 'hoangtuan') => passwordFault({ username, password }, common)

test('a password equal to the username is refused in any case', () => {
  expect(faultOf('hoangtuan')).toBe('Mật khẩu không được trùng với tên đăng nhập')
  expect(faultOf('HoangTuan')).toBe('Mật khẩu không được trùng với tên đăng nhập')
})

test('a common password is refused in any case', () => {
  expect(faultOf('password')).toBe('Mật khẩu này quá phổ biến, vui lòng chọn mật khẩu khác')
  expect(faultOf('MatKhau123')).toBe('Mật khẩu này quá phổ biến, vui lòng chọn mật khẩu khác')
})

test('a password that only contains the username or a common one is accepted', () => {
  expect(faultOf('hoangtuan-trucdem')).toBeNull()
  expect(faultOf(' password ')).toBeNull()
})

test('an operator’s password has twelve characters or more', () => {
  expect(operatorPasswordFault('mười-một-kt')).toBe('Mật khẩu của người vận hành phải có ít nhất 12 ký tự')
  expect(operatorPasswordFault('mười-hai-ký-')).toBeNull()
  expect([isLongPassword('mười-một-kt'), isLongPassword('mười-hai-ký-')]).toEqual([false, true])
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

test.each([
  [1, undefined, 1],
  [2, undefined, 1],
  [3, undefined, 2],
  // Four threads: two hash, two serve files.
  [16, undefined, 2],
  [16, 20, 15],
  [16, 8, 6],
  [4, 1, 1],
])('%s cores and %s threads hash %s passwords at once', (cores, threads, atOnce) => {
  expect(hashesAtOnce(cores, threads)).toBe(atOnce)
})

test.each([
  [1, undefined, 1],
  [2, undefined, 2],
  [16, undefined, 3],
  [16, 8, 7],
  [4, 1, 1],
])('an import on %s cores with %s threads hashes %s passwords at once', (cores, threads, atOnce) => {
  expect(importHashesAtOnce(cores, threads)).toBe(atOnce)
})
