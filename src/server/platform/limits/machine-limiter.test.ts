import { expect, test } from 'vitest'
import { partsOf } from './machine-limiter.ts'

test.each([
  [1_200, 2],
  [1_200, 64],
  [240, 3],
  [6, 2],
  [6, 16],
])('of %i points %i processes and their primary together give no more', (points, webs) => {
  const { near, far } = partsOf(points, { webs })
  expect(near * webs + far).toBe(points)
  expect(near + far).toBeGreaterThan(points / 2)
})
