import { expect, test } from 'vitest'
import { candidatesFor } from './new-names.ts'

test.each([
  ['bonk', '11', 'bonk0', 'bonk11'],
  ['Kiếm Đạo', '12', 'KiemDao', 'KiemDao12'],
  ['doiten', '7', 'doiten1', 'doiten7'],
  ['a'.repeat(24), '8', 'a'.repeat(20), 'a'.repeat(19) + '8'],
  ['剣', '41', 'nhanvat', 'nhanvat41'],
])('%s may become names near it, and at last one with its key %s', (name, key, first, last) => {
  const candidates = candidatesFor({ key, name })
  expect(candidates[0]).toBe(first)
  expect(candidates).toContain(last)
  expect(candidates.every((one) => /^[A-Za-z0-9]{5,20}$/.test(one) && one !== name)).toBe(true)
})
