import { expect, test } from 'vitest'
import { readCode, recoveryCodeOf, shownRecoveryCode } from './second-factor.rules.ts'

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
  ['0Z0ZA-HJKMN', { kind: 'recovery', code: '0Z0ZAHJKMN' }],
  ['oz0za hjkmn', { kind: 'recovery', code: '0Z0ZAHJKMN' }],
  ['Il0ZA-HJKMN', { kind: 'recovery', code: '110ZAHJKMN' }],
  ['01234', null],
  ['0123456', null],
  ['0Z0ZA-HJKM', null],
  ['0Z0ZA-HJKMU', null],
  ['٠١٢٣٤٥', null],
  ['', null],
])('%j is read as %j', (typed, read) => {
  expect(readCode(typed)).toEqual(read)
})

test('what is shown is read back as what is stored', () => {
  expect(readCode(shownRecoveryCode('0Z0ZAHJKMN'))).toEqual({ kind: 'recovery', code: '0Z0ZAHJKMN' })
})
