import { describe, expect, test } from 'vitest'
import { PERIODS } from './period.ts'

describe('named periods', () => {
  test.each([
    ['today', '2026-12-01', '2026-12-01', '2026-12-01'],
    ['7', '2026-12-01', '2026-11-25', '2026-12-01'],
    ['30', '2026-12-01', '2026-11-02', '2026-12-01'],
    ['last-week', '2026-11-30', '2026-11-23', '2026-11-29'],
    ['last-week', '2026-12-06', '2026-11-23', '2026-11-29'],
    ['last-week', '2026-01-01', '2025-12-22', '2025-12-28'],
    ['this-month', '2026-12-01', '2026-12-01', '2026-12-01'],
    ['this-month', '2026-12-31', '2026-12-01', '2026-12-31'],
    ['last-month', '2026-12-01', '2026-11-01', '2026-11-30'],
    ['last-month', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['last-month', '2026-01-15', '2025-12-01', '2025-12-31'],
  ] as const)('%s on %s is from %s to %s', (name, today, first, last) => {
    expect(PERIODS[name](today)).toEqual([first, last])
  })
})
