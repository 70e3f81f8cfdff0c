import { expect, test } from 'vitest'
import { askDelaySeconds } from './collection.rules.ts'

test('the game is asked after 1, 3, 10, 30 and 60 seconds, then ever more rarely, each hour at last', () => {
  const delays = Array.from({ length: 12 }, (_, asks) => askDelaySeconds(asks))
  expect(delays).toEqual([1, 3, 10, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
  expect(askDelaySeconds(1_000_000)).toBe(3_600)
})
