import { expect, test } from 'vitest'
import { formatDay, formatMoment } from '#contract/format.ts'

test('moments are read in Vietnam, whatever the clock of the device', () => {
  expect(formatMoment('2026-11-20T17:05:59.000Z')).toBe('21/11/2026 00:05')
  expect(formatDay('2026-12-31T17:00:00Z')).toBe('01/01/2027')
})

test('what is no moment shows as nothing', () => {
  expect(formatMoment('hôm qua')).toBe('')
})
