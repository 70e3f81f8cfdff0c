import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import {
  readCode,
  recoveryCodeOf,
  shownRecoveryCode,
  matchingStep,
  newSecret,
  setupUri,
} from './second-factor.rules.ts'

test('a recovery code has ten letters and digits, each equally likely', () => {
  const code = recoveryCodeOf(Uint8Array.from([0, 31, 32, 255, 10, 17, 18, 19, 20, 21, 99]))
  expect(code).toBe('0Z0ZAHJKMN')
  const letters = Array.from({ length: 256 }, (_, byte) => recoveryCodeOf(new Uint8Array(10).fill(byte))[0])
  const counts = Map.groupBy(letters, (letter) => letter)
  expect([counts.size, ...new Set([...counts.values()].map(({ length }) => length))]).toEqual([32, 8])
})

test.each([
  ['012345', { kind: 'app', code: '012345' }],
  [' 012 345 ', { kind: 'app', code: '012345' }],
  ['０１２３４５', { kind: 'app', code: '012345' }],
  ['012\u200b345', { kind: 'app', code: '012345' }],
  ['0Z0ZA-HJKMN', { kind: 'recovery', codes: ['0Z0ZAHJKMN'] }],
  ['oz0za hjkmn', { kind: 'recovery', codes: ['0Z0ZAHJKMN'] }],
  ['“0Z0ZA–HJKMN”', { kind: 'recovery', codes: ['0Z0ZAHJKMN'] }],
  ['Il0ZA-HJKMN', { kind: 'recovery', codes: ['110ZAHJKMN'] }],
  ['01234', null],
  ['0123456', null],
  ['0Z0ZC-HBKM', null],
  ['0Z0ZA-HJKMU', null],
  ['٠١٢٣٤٥', null],
  ['', null],
])('%j is read as %j', (typed, read) => {
  expect(readCode(typed)).toEqual(read)
})

test('what is shown is read back as what is stored', () => {
  expect(readCode(shownRecoveryCode('0Z0ZAHJKMN'))).toEqual({ kind: 'recovery', codes: ['0Z0ZAHJKMN'] })
})

test('a recovery code typed on a Vietnamese keyboard is among what is read', () => {
  expect(readCode('đ0z0zhjkm')).toEqual({ kind: 'recovery', codes: expect.arrayContaining(['DD0Z0ZHJKM']) })
})

// RFC 6238, appendix B: the secret, and the last six digits of its SHA-1 column.
const secret = Secret.fromUTF8('12345678901234567890').base32
const at = (seconds: number) => new Date(seconds * 1000)

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %s s the code is %s', (seconds, code) => {
  const step = matchingStep({ secret, lastStep: 0 }, { code, now: at(seconds) })
  expect(step).toBe(Math.floor(seconds / 30))
})

test('a code is right one step before and after its own, and no further', () => {
  const steps = [-61, -60, -30, 0, 30, 59, 60, 61].map((away) =>
    // The step begins at 1,111,111,110.
    matchingStep({ secret, lastStep: 0 }, { code: '050471', now: at(1_111_111_110 + away) }),
  )
  const own = 37_037_037
  expect(steps).toEqual([null, null, own, own, own, own, null, null])
})

test('a code of the last step taken, or of one before it, is not taken again', () => {
  const now = at(1_111_111_111)
  expect(matchingStep({ secret, lastStep: 37_037_036 }, { code: '050471', now })).toBe(37_037_037)
  expect(matchingStep({ secret, lastStep: 37_037_037 }, { code: '050471', now })).toBeNull()
  expect(matchingStep({ secret, lastStep: 37_037_038 }, { code: '050471', now })).toBeNull()
})

test('a step further ahead than a code can be was taken by a clock that was ahead, and bars no later one', () => {
  const taken = (lastStep: number) =>
    matchingStep({ secret, lastStep }, { code: '050471', now: at(1_111_111_111) })
  expect(taken(37_037_037 + 3)).toBeNull()
  expect(taken(37_037_037 + 2_900)).toBe(37_037_037)
})

test('the address for the app names site and player and nothing an app would not know', () => {
  const made = newSecret()
  expect(made).toMatch(/^[A-Z2-7]{32}$/)
  expect(newSecret()).not.toBe(made)
  const uri = setupUri({ secret: made, site: 'Ninja: Làng Lá', username: 'hoangtuan' })
  expect(uri).toMatch(/^otpauth:\/\/totp\/Ninja%20%20L%C3%A0ng%20L%C3%A1:hoangtuan\?/)
  const { searchParams } = new URL(uri)
  expect(Object.fromEntries(searchParams)).toEqual({
    issuer: 'Ninja  Làng Lá',
    secret: made,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(new TOTP({ secret: Secret.fromBase32(made) }).generate({ timestamp: 59_000 })).toMatch(/^\d{6}$/)
})
