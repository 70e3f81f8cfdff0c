import { expect, test } from 'vitest'
import { chipOf, daysOf } from './statement-days.ts'

/** Already the 23rd in Vietnam. */
const now_ms = Date.parse('2026-11-22T17:30:00Z')

test('a chip stands for the days up to today in Vietnam', () => {
  expect(daysOf(1, now_ms)).toEqual({ from: '2026-11-23', to: '' })
  expect(daysOf(7, now_ms)).toEqual({ from: '2026-11-17', to: '' })
  expect(daysOf(30, now_ms)).toEqual({ from: '2026-10-25', to: '' })
  expect(daysOf(null, now_ms)).toEqual({ from: '', to: '' })
})

test('the days in the address are known by their chip, and other days by none', () => {
  for (const chip of [1, 7, 30, null] as const) expect(chipOf(daysOf(chip, now_ms), now_ms)).toBe(chip)
  expect(chipOf({ from: '2026-11-22', to: '' }, now_ms)).toBeUndefined()
  expect(chipOf({ from: '2026-11-23', to: '2026-11-23' }, now_ms)).toBeUndefined()
  expect(chipOf({ from: '', to: '2026-11-23' }, now_ms)).toBeUndefined()
})
