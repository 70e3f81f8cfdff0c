import { expect, test } from 'vitest'
import type { PlannedPrice } from '#contract/operator/setting-calls.ts'
import { lastingText, overlaps } from './planned-prices.service.ts'

const at = (hour: number) => `2026-11-28T${String(hour).padStart(2, '0')}:00:00.000Z`
const span = (start: number, end?: number) => ({
  starts_at: at(start),
  ends_at: end === undefined ? null : at(end),
})

test.each([
  [span(1, 3), span(3, 5), false],
  [span(1, 4), span(3, 5), true],
  [span(1, 9), span(3, 5), true],
  [span(3, 5), span(3, 5), true],
  [span(1), span(3, 5), true],
  [span(7), span(3, 5), false],
  [span(1), span(2), true],
])('plans %o and %o overlap: %s', (one, other, isSo) => {
  expect(overlaps(one, other)).toBe(isSo)
  expect(overlaps(other, one)).toBe(isSo)
})

test('the moment counts, not the time zone it is written in', () => {
  const inVietnam = { starts_at: '2026-11-28T10:00:00+07:00', ends_at: null }
  expect(overlaps(span(1, 3), inVietnam)).toBe(false)
  expect(overlaps(span(1, 4), inVietnam)).toBe(true)
})

test('a plan that is active gives the price back that it found', () => {
  const plan = (state: PlannedPrice['state'], before: string) => ({ state, before }) as PlannedPrice
  expect(lastingText('20', [])).toBe('20')
  expect(lastingText('10', [plan('planned', '10')])).toBe('10')
  expect(lastingText('20', [plan('planned', '10'), plan('active', '10')])).toBe('10')
})
