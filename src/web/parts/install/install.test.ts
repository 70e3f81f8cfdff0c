import { expect, test } from 'vitest'
import { mayShowHint, withVisit } from './install.ts'

const NOW = Date.UTC(2026, 10, 23)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('pages opened one after the other are one visit', () => {
  const first = withVisit({}, NOW)
  const second = withVisit(first, NOW + 29 * MINUTE)
  const third = withVisit(second, NOW + 58 * MINUTE)
  expect([first.count, second.count, third.count]).toEqual([1, 1, 1])
  expect(withVisit(third, NOW + 89 * MINUTE).count).toBe(2)
})

test('the hint comes from the second visit on, and for ninety days not again once it was put aside', () => {
  const first = withVisit({}, NOW)
  expect(mayShowHint(first, NOW)).toBe(false)
  const second = withVisit(first, NOW + DAY)
  expect(mayShowHint(second, NOW + DAY)).toBe(true)
  const aside = { ...second, aside_ms: NOW + DAY }
  expect(mayShowHint(aside, NOW + 91 * DAY)).toBe(false)
  expect(mayShowHint(aside, NOW + 91 * DAY + 1)).toBe(true)
})
