import { expect, test } from 'vitest'
import { after, NO_HISTORY, pauseMs, type Life } from './restarts.rules.ts'

const FAILED: Life = { wasReady: false, seconds: 1 }
const SHORT: Life = { wasReady: true, seconds: 5 }
const LONG: Life = { wasReady: true, seconds: 3_600 }

const lived = (...lives: Life[]) => lives.reduce(after, NO_HISTORY)

test('the pause before the next start grows with each short life, and not for ever', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 20].map((count) =>
    pauseMs(lived(...Array.from({ length: count }, () => SHORT))),
  )
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
})

test('a long life ends a series', () => {
  expect(pauseMs(lived(SHORT, SHORT, SHORT, LONG))).toBe(500)
})

test('ten starts in a row that fail are the end; one that succeeds in between restarts the count', () => {
  const nine = Array.from({ length: 9 }, () => FAILED)
  expect(pauseMs(lived(...nine))).toBe(10_000)
  expect(pauseMs(lived(...nine, FAILED))).toBeNull()
  expect(pauseMs(lived(...nine, SHORT, FAILED))).toBe(10_000)
})
