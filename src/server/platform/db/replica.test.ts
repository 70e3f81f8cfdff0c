import { expect, test } from 'vitest'
import { latestPassed } from './replica.ts'

const samples = [
  { at: 1, position: '0/FFFFFFF0' },
  { at: 2, position: '1/0' },
  { at: 3, position: '1/20' },
]

test('a replica is where the primary was at the latest moment that it has replayed', () => {
  expect(latestPassed(samples, '0/FFFFFF00')).toBeNull()
  expect(latestPassed(samples, '0/FFFFFFFF')?.at).toBe(1)
  expect(latestPassed(samples, '1/1F')?.at).toBe(2)
  expect(latestPassed(samples, 'A/0')?.at).toBe(3)
})
