import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { giftCodeFault, giftCodesTyped, inGroups, makeGiftCode } from './gift-code.rules.ts'

test('a code has twelve letters, of which none is mixed up with another', () => {
  const codes = Array.from({ length: 500 }, () => makeGiftCode(randomInt))
  for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{12}$/)
  expect(new Set(codes).size).toBe(500)
})

test('a code is read as it was printed, typed or copied out of a chat', () => {
  expect(inGroups('ABCDEFGHJKMN')).toBe('ABCD-EFGH-JKMN')
  for (const typed of ['ABCD-EFGH-JKMN', ' abcd efgh jkmn\n', 'ABCDEFGHJKMN', 'ABCD–EFGH–JKMN\u200b'])
    expect(giftCodesTyped(typed)).toEqual(['ABCDEFGHJKMN'])
})

test.each(['', 'ABCD-EFGH-JK', 'ABCD-EFGH-JKMNP', 'ABCD-EFGH-JKM0', 'ÁBCD-EFGH-JKMN'])(
  '%s is no code',
  (typed) => expect(giftCodesTyped(typed)).toEqual([]),
)

test.each([
  ['ưhmư', 'không có dấu'],
  ['ABCD-EFGH-JKM0', 'không có các chữ I, L, O'],
  ['ABCD', 'gồm 12 chữ và số, bạn đã nhập 4'],
])('what may be wrong with %s is said', (typed, fault) => {
  expect(giftCodeFault(typed)).toContain(fault)
})

test('a code that looks right has no fault of its own', () => {
  expect(giftCodeFault('ABCD-EFGH-JKMN')).toBeNull()
})
