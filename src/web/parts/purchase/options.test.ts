import { expect, test } from 'vitest'
import { bestValue } from './options.tsx'

type Offered = { amount: number; receive: number }
const best = (options: Offered[]) => bestValue(options, ({ receive }) => receive)

test('the option that brings clearly the most for each TCoin is marked, and none where it is the same', () => {
  const [small, middle, large] = [
    { amount: 9_999, receive: 2_999 },
    { amount: 49_999, receive: 15_999 },
    { amount: 99_999, receive: 35_000 },
  ]
  expect(best([small, large, middle])).toBe(large)
  // Luong are rounded down, which makes no option better.
  expect(
    best([
      { amount: 10_000, receive: 3_300 },
      { amount: 20_001, receive: 6_600 },
    ]),
  ).toBeUndefined()
  expect(best([large])).toBeUndefined()
  expect(best([])).toBeUndefined()
})
