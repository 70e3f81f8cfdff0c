import { describe, expect, test } from 'vitest'
import { usernameKey } from './accounts.rules.ts'
import { currentFactor, isSameEmail, meantEmail, maskEmail, maskName, maskPhone } from './contacts.rules.ts'

describe('the address a player means', () => {
  test('is their own when they give it as it is shown to them', () => {
    expect(meantEmail('hoangtuan@thu.test', 'h***@thu.test')).toBe('hoangtuan@thu.test')
  })

  test('is what they typed otherwise', () => {
    expect(meantEmail('hoangtuan@thu.test', 'h***@thu.vn')).toBe('h***@thu.vn')
    expect(meantEmail('hoangtuan@thu.test', 'moi@thu.test')).toBe('moi@thu.test')
    expect(meantEmail(null, 'h***@thu.test')).toBe('h***@thu.test')
  })

  test('is the same whatever its case', () => {
    expect(isSameEmail('Tuan@Thu.test', 'tuan@thu.TEST')).toBe(true)
    expect(isSameEmail('tuan@thu.test', 'tuan@thu.vn')).toBe(false)
    expect(isSameEmail(null, '')).toBe(false)
  })
})

test('the factor an account must prove is its verified e-mail, else its verified phone, else nothing', () => {
  const known = { email: 'a@thu.test', isEmailVerified: true, phone: '84912345678', isPhoneVerified: true }
  expect(currentFactor(known)).toEqual({ channel: 'email', email: 'a@thu.test' })
  expect(currentFactor({ ...known, isEmailVerified: false })).toEqual({
    channel: 'phone',
    phone: '84912345678',
  })
  expect(currentFactor({ ...known, email: null, isEmailVerified: false })).toMatchObject({ channel: 'phone' })
  expect(currentFactor({ ...known, isEmailVerified: false, isPhoneVerified: false })).toBeNull()
})

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
