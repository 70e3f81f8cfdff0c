import { expect, test } from 'vitest'
import { monthsOf } from './statement-months.ts'

test('lines are put into the months of Vietnam, in their order', () => {
  const [first, last, before] = ['2026-11-30T16:59:59Z', '2026-10-31T17:00:00Z', '2026-10-31T16:59:59Z'].map(
    (created_at) => ({ created_at }),
  )
  expect(monthsOf([first!, last!, before!])).toEqual([
    { name: '11/2026', lines: [first, last] },
    { name: '10/2026', lines: [before] },
  ])
  expect(monthsOf([])).toEqual([])
})
