import { describe, expect, test } from 'vitest'
import { secondsUntilNext, messageToSend } from './alarms.rules.ts'

const now = new Date('2026-11-22T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const told = (count: number, minutes: number) => ({
  beganAt: minutesAgo(200),
  count,
  toldAt: minutesAgo(minutes),
})

describe('what is said of an alarm', () => {
  test.each([
    ['nothing while nothing is wrong', null, 0, null],
    ['that it begins', null, 3, 'begins'],
    ['that it ends, at once', told(3, 0), 0, 'ends'],
    ['nothing while it stays', told(3, 59), 3, null],
    ['nothing while it shrinks', told(3, 59), 1, null],
    ['that it grows', told(3, 10), 4, 'grows'],
    ['nothing yet when it grew a moment ago', told(3, 9), 900, null],
    ['it again after an hour', told(3, 60), 1, 'repeats'],
  ] as const)('%s', (_, before, count, said) => {
    expect(messageToSend(before, count, now)).toBe(said)
  })
})

test('a message that is not taken is sent again, later each time, and not for ever', () => {
  const delays = Array.from({ length: 40 }, (_, index) => secondsUntilNext(index + 1))
  expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40])
  expect(delays.slice(6, 39)).toEqual(Array(33).fill(300))
  expect(delays.at(-1)).toBeNull()
})
