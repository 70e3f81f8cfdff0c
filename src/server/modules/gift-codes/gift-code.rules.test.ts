import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { inGroups, makeGiftCode, plainGiftCode } from './gift-code.rules.ts'

test('a code has twelve letters, of which none is mixed up with another', () => {
  const codes = Array.from({ length: 500 }, () => makeGiftCode(randomInt))
  for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{12}$/)
  expect(new Set(codes).size).toBe(500)
})

test('a code is read as it was printed, typed or copied out of a chat', () => {
  expect(inGroups('ABCDEFGHJKMN')).toBe('ABCD-EFGH-JKMN')
  for (const typed of ['ABCD-EFGH-JKMN', ' abcd efgh jkmn\n', 'ABCDEFGHJKMN', 'ABCD–EFGH–JKMN\u200b'])
    expect(plainGiftCode(typed)).toBe('ABCDEFGHJKMN')
})

test.each(['', 'ABCD-EFGH-JKM', 'ABCD-EFGH-JKMNP', 'ABCD-EFGH-JKM0', 'ÁBCD-EFGH-JKMN'])(
  '%s is no code',
  (typed) => expect(plainGiftCode(typed)).toBeNull(),
)
