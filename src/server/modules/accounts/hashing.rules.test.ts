import { expect, test } from 'vitest'
import { hashesAtOnce } from './password.rules.ts'

test.each([
  [1, undefined, 1],
  [2, undefined, 1],
  [3, undefined, 2],
  // Four threads: two hash, two serve files.
  [16, undefined, 2],
  [16, 20, 15],
  [16, 8, 6],
  [4, 1, 1],
])('%s cores and %s threads hash %s passwords at once', (cores, threads, atOnce) => {
  expect(hashesAtOnce(cores, threads)).toBe(atOnce)
})
