import { expect, test } from 'vitest'
import { formOf, readForeignPassword } from './stored-passwords.ts'

const MD5 = '5f4dcc3b5aa765d61d8327deb882cf99'
const bcrypt = (begin: string) => begin + '.'.repeat(53)

test.each([
  ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', 'argon2'],
  ['md5:$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', 'argon2id-of-md5'],
  [bcrypt('$2y$10$'), 'bcrypt'],
] as const)('%s is of the form %s', (stored, form) => {
  expect(formOf(stored)).toBe(form)
})

test.each([
  ['trucdem2024', { form: 'plain', password: 'trucdem2024' }],
  [' a', { form: 'plain', password: ' a' }],
  [MD5.toUpperCase(), { form: 'md5', md5: MD5 }],
  [bcrypt('$2a$04$'), { form: 'bcrypt', hash: bcrypt('$2a$04$') }],
  [bcrypt('$2b$14$'), { form: 'bcrypt', hash: bcrypt('$2b$14$') }],
  [bcrypt('$2y$15$'), 'costly-password'],
  ['', 'empty-password'],
  ['1', 'password-length'],
  ['a'.repeat(21), 'password-length'],
  [`${MD5}0`, 'password-length'],
])('%s is detected', (stored, read) => {
  expect(readForeignPassword(stored, 'detected')).toEqual(read)
})

test('what is not of the form that the owner named is not read', () => {
  expect(readForeignPassword('trucdem2024', 'md5')).toBe('unreadable-password')
  expect(readForeignPassword(MD5, 'bcrypt')).toBe('unreadable-password')
  expect(readForeignPassword(bcrypt('$2y$10$'), 'md5')).toBe('unreadable-password')
  expect(readForeignPassword(MD5, 'md5')).toEqual({ form: 'md5', md5: MD5 })
  expect(readForeignPassword('$2y$10$trucdem', 'plain')).toEqual({
    form: 'plain',
    password: '$2y$10$trucdem',
  })
})
