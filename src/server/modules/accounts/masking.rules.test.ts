import { expect, test } from 'vitest'
import { maskEmail, maskName, maskPhone } from './contacts.rules.ts'
import { usernameKey } from './usernames.rules.ts'

test('an e-mail shows its first letter and its domain', () => {
  expect(maskEmail('hoangtuan@example.com')).toBe('h***@example.com')
  expect(maskEmail('h@example.com')).toBe('h***@example.com')
})

test('a phone shows as it is dialled, the middle hidden', () => {
  expect(maskPhone('84912345601')).toBe('091****601')
})

test('a name shows its beginning, of a short one the first half', () => {
  expect(['hoangtuan', 'hoang', 'Tèo', 'Ý'].map(maskName)).toEqual(['hoa***', 'hoa***', 'Tè***', 'Ý***'])
})

test('a username is known without case, and only ASCII can be one', () => {
  expect(usernameKey('HoangTuan')).toBe('hoangtuan')
  // U+212A, the Kelvin sign, folds to the letter k.
  expect(usernameKey('\u212Aiemgia')).toBeNull()
  expect(usernameKey('hoang\0tuan')).toBeNull()
  expect(usernameKey('hoangtuan\n')).toBeNull()
})
