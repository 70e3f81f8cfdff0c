import { expect, test } from 'vitest'
import { vndWorth } from './goods-worth.ts'

test.each([
  [{ coins: 0, luong: 0 }, 0],
  [{ coins: 1, luong: 0 }, 1],
  [{ coins: 20, luong: 0 }, 10],
  [{ coins: 0, luong: 40 }, 50],
  [{ coins: 1, luong: 1 }, 2],
])('%o is worth %d đ where 100 TCoin are 40 luong and 1 đ is 2 TCoin', (given, vnd) => {
  expect(vndWorth(given, { luongPer100Coins: 40, coinsPerVnd: 2 })).toBe(vnd)
})
