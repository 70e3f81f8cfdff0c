import { describe, expect, test } from 'vitest'
import { announcedMinutes, timeLeft_ms } from './countdown.ts'
import { minutesText } from '#web/parts/time/clock-text.ts'

const order = { created_at: '2026-11-21T08:00:00.000Z', expires_at: '2026-11-21T08:30:00.000Z' }
const end_ms = Date.parse(order.expires_at)

describe('the countdown of an order', () => {
  test('counts to the end and never below it', () => {
    expect(timeLeft_ms(order, end_ms - 1_500)).toBe(1_500)
    expect(timeLeft_ms(order, end_ms + 60_000)).toBe(0)
  })

  test('never shows more than the order was given, though the server’s clock is read up to a second late', () => {
    const read_ms = Date.parse(order.created_at) - 999
    expect(minutesText(timeLeft_ms(order, read_ms))).toBe('30:00')
  })

  test.each([
    [30 * 60_000, '30:00'],
    [29 * 60_000 + 4_001, '29:05'],
    [60_000, '01:00'],
    [999, '00:01'],
    [0, '00:00'],
    [72 * 60_000, '72:00'],
  ])('shows %i ms as %s', (left_ms, text) => {
    expect(minutesText(left_ms)).toBe(text)
  })

  test('is read aloud at a few times only', () => {
    expect(announcedMinutes(30 * 60_000)).toBeNull()
    expect(announcedMinutes(10 * 60_000)).toBe(10)
    expect(announcedMinutes(9 * 60_000)).toBe(10)
    expect(announcedMinutes(5 * 60_000)).toBe(5)
    expect(announcedMinutes(60_000)).toBe(1)
    expect(announcedMinutes(59_999)).toBe(0)
  })
})
