import { expect, test } from 'vitest'
import { VerifiedPasswords } from './verified-passwords.ts'

const account = { id: '7', passwordHash: '$argon2id$one' }

test('a password that was checked is known for ten minutes', () => {
  let now = 0
  const verified = new VerifiedPasswords(() => now)
  expect(verified.has(account, 'mat-khau-12')).toBe(false)
  verified.remember(account, 'mat-khau-12')
  now = 599_999
  expect(verified.has(account, 'mat-khau-12')).toBe(true)
  now = 600_000
  expect(verified.has(account, 'mat-khau-12')).toBe(false)
})

test('it counts for nothing when the stored hash is another one', () => {
  const verified = new VerifiedPasswords()
  verified.remember(account, 'mat-khau-12')
  expect(verified.has({ ...account, passwordHash: '$argon2id$two' }, 'mat-khau-12')).toBe(false)
})

test('it counts for this account alone', () => {
  const verified = new VerifiedPasswords()
  verified.remember(account, 'mat-khau-12')
  expect(verified.has({ ...account, id: '8' }, 'mat-khau-12')).toBe(false)
})

test('one wrong password makes the next one go through the limits of logins', () => {
  const verified = new VerifiedPasswords()
  verified.remember(account, 'mat-khau-12')
  expect(verified.has(account, 'mat-khau-13')).toBe(false)
  expect(verified.has(account, 'mat-khau-12')).toBe(false)
})

test('the account that was checked longest ago gives way to the 20,001st', () => {
  const verified = new VerifiedPasswords()
  for (let id = 0; id <= 20_000; id++) verified.remember({ ...account, id: String(id) }, 'mat-khau-12')
  expect(verified.has({ ...account, id: '0' }, 'mat-khau-12')).toBe(false)
  expect(verified.has({ ...account, id: '20000' }, 'mat-khau-12')).toBe(true)
})
