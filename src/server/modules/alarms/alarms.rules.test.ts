import { describe, expect, test } from 'vitest'
import { secondsUntilNext, messageToSend } from './alarms.rules.ts'

const now = new Date('2026-11-22T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const sent = (count: number, minutes: number) => ({
  beganAt: minutesAgo(200),
  count,
  sentAt: minutesAgo(minutes),
})

describe('the message about an alarm', () => {
  test.each([
    ['nothing while nothing is wrong', null, 0, null],
    ['that it begins', null, 3, 'begins'],
    ['that it ends, at once', sent(3, 0), 0, 'ends'],
    ['nothing while it stays', sent(3, 59), 3, null],
    ['nothing while it shrinks', sent(3, 59), 1, null],
    ['that it grows', sent(3, 10), 4, 'grows'],
    ['nothing yet when it grew a moment ago', sent(3, 9), 900, null],
    ['it again after an hour', sent(3, 60), 1, 'repeats'],
  ] as const)('%s', (_, before, count, event) => {
    expect(messageToSend(before, count, now)).toBe(event)
  })
})

test('a message that is not taken is sent again, later each time, and not for ever', () => {
  const delays = Array.from({ length: 40 }, (_, index) => secondsUntilNext(index + 1))
  expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40])
  expect(delays.slice(6, 39)).toEqual(Array(33).fill(300))
  expect(delays.at(-1)).toBeNull()
})
