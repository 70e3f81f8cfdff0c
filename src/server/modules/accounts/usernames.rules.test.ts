import { expect, test } from 'vitest'
import { isStaffName } from './usernames.rules.ts'

const SITE = 'Tinh Hoa Đảo Ninja'

test.each([
  'operator',
  'Admin01',
  'administrator',
  'support',
  'quantri',
  'quantrivien',
  'hotro24',
  'cskhvn',
  'mod001',
  'gm0001',
  'gmninja',
  'ninjaadmin',
  'AdminTinhHoaDaoNinja',
  'tinhhoadaoninja',
  'TinhHoaDaoNinja1',
])('%s poses as staff', (username) => {
  expect(isStaffName(username, SITE)).toBe(true)
})

test.each([
  'modan12',
  'hotrong',
  'adminh5',
  'quantrinh',
  'gmaildep',
  'supportive',
  'hoangtuan',
  'ninja123',
  'tinhhoa123',
  'moderne',
  'cskhoa',
])('%s is an ordinary name', (username) => {
  expect(isStaffName(username, SITE)).toBe(false)
  expect(isStaffName(username, '忍者')).toBe(false)
})
