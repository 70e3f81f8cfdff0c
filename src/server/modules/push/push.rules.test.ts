import { expect, test } from 'vitest'
import { afterPush, payloadOf, type PushAnswer } from './push.rules.ts'

const tried = { attempt: 1, ageSeconds: 1, failures: 0 }
const after = (answer: PushAnswer, change: Partial<typeof tried> = {}) =>
  afterPush(answer, { ...tried, ...change })

test('a message that fails for the moment is tried again later and later, as late as the service asks', () => {
  expect(after(null)).toEqual({ outcome: 'failed', delaySeconds: 5 })
  expect(after({ status: 500 }, { attempt: 3 })).toEqual({ outcome: 'failed', delaySeconds: 80 })
  expect(after({ status: 429, retryAfterSeconds: 120 })).toEqual({ outcome: 'failed', delaySeconds: 120 })
  expect(after({ status: 429, retryAfterSeconds: 999_999 })).toEqual({
    outcome: 'failed',
    delaySeconds: 3_600,
  })
})

test('a message whose signature is refused, as by a clock that is wrong, is tried again', () => {
  for (const status of [401, 403]) expect(after({ status })).toEqual({ outcome: 'failed', delaySeconds: 5 })
})

test('a message that is refused, tried often enough or too old is given up', () => {
  for (const status of [400, 413]) expect(after({ status })).toEqual({ outcome: 'given-up' })
  expect(after(null, { attempt: 6 })).toEqual({ outcome: 'given-up' })
  expect(after(null, { ageSeconds: 86_399 })).toEqual({ outcome: 'given-up' })
})

test('a long text is shortened to what push services take', () => {
  const payload = payloadOf({ id: '1', title: 'ộ'.repeat(500), text: 'ộ'.repeat(5_000), href: '/home' })
  expect(Buffer.byteLength(payload)).toBeLessThan(3_900)
  expect(JSON.parse(payload).text).toMatch(/ộ…$/)
})
