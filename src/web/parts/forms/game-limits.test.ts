import { expect, test } from 'vitest'
import { isPasswordNarrowed, passwordHint, usernameHint } from './game-limits.ts'

test('the hints of the forms name what portal and game take', () => {
  expect([usernameHint({}), passwordHint({}), isPasswordNarrowed({})]).toEqual([
    '6–20 chữ không dấu hoặc số.',
    'Từ 6 đến 20 ký tự.',
    false,
  ])
  const limits = { name: { least: 5, most: 12, letters: 'a-z' }, password: { least: 8, most: 64 } }
  expect([usernameHint(limits), passwordHint(limits), isPasswordNarrowed(limits)]).toEqual([
    '6–12 ký tự trong a–z.',
    'Từ 8 đến 20 ký tự.',
    true,
  ])
  const eight = { least: 8, most: 8 }
  expect(usernameHint({ name: eight })).toBe('8 chữ không dấu hoặc số.')
  expect(passwordHint({ password: eight })).toBe('Đúng 8 ký tự.')
})
