import { expect, test } from 'vitest'
import { afterAttempt, afterSending, closedBreaker, sendsAllowed, type Breaker } from './deliveries.rules.ts'

const failing = (times: number, nowMs = 0, from: Breaker = closedBreaker) =>
  Array.from({ length: times }).reduce<Breaker>((breaker) => afterAttempt(breaker, false, nowMs), from)

test('four failures in a row change nothing, the fifth opens the breaker', () => {
  expect(sendsAllowed(failing(4), 0, 8)).toBe(8)
  expect(sendsAllowed(failing(5), 0, 8)).toBe(0)
})

test('an answer in between starts the count anew', () => {
  const answered = afterAttempt(failing(4), true, 0)
  expect(sendsAllowed(failing(4, 0, answered), 0, 8)).toBe(8)
})

test('an open breaker lets one probe out every ten seconds, and only if there is room', () => {
  const open = failing(5, 1_000)
  expect(sendsAllowed(open, 10_999, 8)).toBe(0)
  expect(sendsAllowed(open, 11_000, 8)).toBe(1)
  expect(sendsAllowed(open, 11_000, 0)).toBe(0)
  const probing = afterSending(open, 11_000)
  expect(sendsAllowed(probing, 11_001, 8)).toBe(0)
  const failedAgain = afterAttempt(probing, false, 15_000)
  expect(sendsAllowed(failedAgain, 20_999, 8)).toBe(0)
  expect(sendsAllowed(failedAgain, 21_000, 8)).toBe(1)
})

test('one answered probe closes it', () => {
  expect(sendsAllowed(afterAttempt(failing(50), true, 0), 0, 8)).toBe(8)
})

test('failures of what was still under way do not put off the first probe', () => {
  const open = failing(3, 9_000, failing(5, 1_000))
  expect(sendsAllowed(open, 11_000, 8)).toBe(1)
})

test('sending through a closed breaker leaves it as it is', () => {
  expect(afterSending(failing(3), 5_000)).toEqual(failing(3))
})
