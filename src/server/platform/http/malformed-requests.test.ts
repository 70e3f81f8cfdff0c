import { expect, test } from 'vitest'
import { quickest } from '#tests/support/timing.ts'
import { isDeeperThan } from './malformed-requests.ts'

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  [lists(20), false],
  [lists(21), true],
  ['{"a":'.repeat(21) + '1' + '}'.repeat(21), true],
  // Side by side is not inside.
  [`[${Array.from({ length: 100 }, () => '{}').join(',')}]`, false],
  // Brackets inside a string do not count, with any escapes.
  [JSON.stringify('['.repeat(100)), false],
  [JSON.stringify(`"${'['.repeat(100)}`), false],
  [String.raw`"\\"` + lists(20), false],
  [String.raw`["\\",` + lists(20) + ']', true],
  ['', false],
  ['"never closed [[[[[[[[[[[[[[[[[[[[[[[', false],
])('case %#: depth is counted where the parser would count it', (text, isDeeper) => {
  expect(isDeeperThan(text, 20)).toBe(isDeeper)
})

test('a body of the largest size is checked quickly', async () => {
  const text = '[]'.repeat(128 * 1024)
  expect(await quickest(() => isDeeperThan(text, 20))).toBeLessThan(200)
})
