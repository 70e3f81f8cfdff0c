import { expect, test } from 'vitest'
import { ADVISORY_LOCKS } from './advisory-lock.ts'

test('no two kinds of work take turns by one number', () => {
  const numbers = Object.values(ADVISORY_LOCKS)
  expect(new Set(numbers).size).toBe(numbers.length)
})
