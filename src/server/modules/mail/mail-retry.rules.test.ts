import { describe, expect, test } from 'vitest'
import { afterFault, isTooLate } from './mail-transport.rules.ts'

const passing = { isPermanent: false, note: 'ETIMEDOUT' }
const refused = { isPermanent: true, note: 'EENVELOPE 550' }

describe('a letter that did not go', () => {
  test('is tried again after a minute, then twice as long each time, at most an hour', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 20].map((attempt) =>
      afterFault(passing, { attempt, ageSeconds: 0, usefulMinutes: null }, 0),
    )
    expect(delays).toEqual(
      [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600].map((delaySeconds) => ({
        outcome: 'retry',
        delaySeconds,
      })),
    )
  })

  test('comes back up to a tenth later, not together with all the others', () => {
    const tried = { attempt: 1, ageSeconds: 0, usefulMinutes: null }
    expect(afterFault(passing, tried, 1)).toEqual({ outcome: 'retry', delaySeconds: 66 })
  })

  test('is given up when the next try would come after a day, or when it is refused for good', () => {
    const old = { attempt: 30, ageSeconds: 23 * 3_600, usefulMinutes: null }
    expect(afterFault(passing, old, 0)).toEqual({ outcome: 'give-up' })
    expect(afterFault(passing, { ...old, ageSeconds: 22 * 3_600 }, 0).outcome).toBe('retry')
    expect(afterFault(refused, { attempt: 1, ageSeconds: 0, usefulMinutes: null }, 0)).toEqual({
      outcome: 'give-up',
    })
  })

  test('is given up when what it brings would be over by then', () => {
    expect(afterFault(passing, { attempt: 1, ageSeconds: 0, usefulMinutes: 10 }, 0).outcome).toBe('retry')
    expect(afterFault(passing, { attempt: 4, ageSeconds: 420, usefulMinutes: 10 }, 0).outcome).toBe('give-up')
    expect(isTooLate({ ageSeconds: 600, usefulMinutes: 10 })).toBe(true)
    expect(isTooLate({ ageSeconds: 599, usefulMinutes: 10 })).toBe(false)
    expect(isTooLate({ ageSeconds: 86_399, usefulMinutes: null })).toBe(false)
  })
})
