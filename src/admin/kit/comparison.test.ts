import { expect, test } from 'vitest'
import { comparisonText } from './comparison.ts'

test.each([
  [120, 100, 'tăng 20 %'],
  [80, 100, 'giảm 20 %'],
  [1_000, 3, 'tăng 33.233,3 %'],
  [100, 100, 'không đổi'],
  [0, 0, 'không đổi'],
  [0, 5, 'giảm 100 %'],
  [5, 0, 'tăng, kỳ trước là 0'],
  [1_000_001, 1_000_000, 'tăng dưới 0,1 %'],
  [999_999, 1_000_000, 'giảm dưới 0,1 %'],
  [5, null, 'không có số liệu trước'],
  [0, null, 'không có số liệu trước'],
])('%d beside %o is “%s”', (now, before, text) => {
  expect(comparisonText(now, before)).toBe(text)
})
