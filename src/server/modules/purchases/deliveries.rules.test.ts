import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  delaySeconds,
  nextStep,
  refundReason,
  statusOf,
  type AttemptResult,
  afterAttempt,
  afterSending,
  closedBreaker,
  sendsAllowed,
  type Breaker,
} from './deliveries.rules.ts'

const young = { attempt: 1, ageSeconds: 0, chance: 0.5 }

test('the game’s answer ends a delivery: applied settles, a refusal or a tombstone refunds', () => {
  expect(nextStep({ kind: 'applied' }, young)).toEqual({ state: 'delivered' })
  expect(nextStep({ kind: 'refused', reason: 'bag-full' }, young)).toEqual({
    state: 'refunded',
    note: 'bag-full',
  })
  expect(nextStep({ kind: 'cancelled' }, young)).toEqual({ state: 'refunded', note: 'cancelled' })
})

test('no text of the game prevents its outcome from being stored', () => {
  const written = { state: 'refunded', note: 'bag-full' }
  expect(nextStep({ kind: 'refused', reason: 'bag\u0000-full' }, young)).toEqual(written)
  expect(nextStep({ kind: 'unknown', cause: 'not JSON: \u0000' }, young)).toMatchObject({
    note: 'not JSON: ',
  })
})

test('the same id with other goods is for a person to look at', () => {
  expect(nextStep({ kind: 'conflict' }, young)).toEqual({ state: 'parked', note: 'conflict' })
})

test('what surely never arrived is sent again later, what may have arrived is queried', () => {
  expect(nextStep({ kind: 'not-received', cause: 'ECONNREFUSED' }, young)).toEqual({
    state: 'pending',
    delaySeconds: 1,
    note: 'ECONNREFUSED',
  })
  expect(nextStep({ kind: 'unknown', cause: 'HTTP 500' }, young)).toMatchObject({ state: 'unknown' })
})

const unanswered = fc.constantFrom<AttemptResult>(
  { kind: 'not-received', cause: 'x' },
  { kind: 'unknown', cause: 'x' },
)

test('no time and no number of attempts refunds what the game did not refuse', () => {
  fc.assert(
    fc.property(
      unanswered,
      fc.nat(),
      fc.nat(),
      fc.double({ min: 0, max: 1 }),
      (result, attempt, age, chance) => {
        const step = nextStep(result, { attempt: attempt + 1, ageSeconds: age, chance })
        expect(['pending', 'unknown', 'parked']).toContain(step.state)
      },
    ),
  )
})

describe('a delivery is parked', () => {
  test.each([
    ['after 200 attempts', { attempt: 200, ageSeconds: 10, chance: 0 }, 'parked'],
    ['not after 199', { attempt: 199, ageSeconds: 10, chance: 0 }, 'unknown'],
    ['after a day', { attempt: 10, ageSeconds: 86_400, chance: 0 }, 'parked'],
    ['not a second sooner', { attempt: 10, ageSeconds: 86_399, chance: 0 }, 'unknown'],
    ['not by a clock that jumped a day', { attempt: 9, ageSeconds: 87_000, chance: 0 }, 'unknown'],
  ])('%s', (_, tried, state) => {
    expect(nextStep({ kind: 'unknown', cause: 'x' }, tried).state).toBe(state)
  })
})

test('delays double from 1 s to 300 s, a fifth more or less', () => {
  const after = (attempt: number, chance = 0.5) => delaySeconds({ attempt, ageSeconds: 3_600, chance })
  const plain = Array.from({ length: 11 }, (_, index) => after(index + 1))
  expect(plain).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  expect(after(200)).toBe(300)
  expect(after(1, 0)).toBeCloseTo(0.8)
  expect(after(1, 1)).toBeCloseTo(1.2)
})

test('no delay of more than a minute is longer than half of the time since the purchase', () => {
  const after = (attempt: number, ageSeconds: number) => delaySeconds({ attempt, ageSeconds, chance: 0.5 })
  expect([after(6, 0), after(9, 0), after(9, 100), after(9, 300), after(9, 600)]).toEqual([
    32, 60, 60, 150, 256,
  ])
})

test('notes from outside are cut', () => {
  const step = nextStep({ kind: 'refused', reason: 'x'.repeat(1_000) }, young)
  expect(step).toEqual({ state: 'refunded', note: 'x'.repeat(300) })
})

test('a player sees pending until there is an end', () => {
  expect((['pending', 'sending', 'unknown', 'parked'] as const).map(statusOf)).toEqual(
    Array(4).fill('pending'),
  )
  expect((['delivered', 'refunded'] as const).map(statusOf)).toEqual(['delivered', 'refunded'])
})

test('a player reads why goods could not be handed over, in plain words', () => {
  expect(refundReason('bag-full')).toBe('Túi đồ của nhân vật đã đầy.')
})

test('what the game answers for its developers is not shown to a player', () => {
  for (const note of ['bad-goods', 'constructor', '<b>500</b>', '', null]) {
    expect(refundReason(note)).toBe('Máy chủ game từ chối nhận hàng.')
  }
})

describe('the breaker', () => {
  const failing = (times: number, nowMs = 0, from: Breaker = closedBreaker) =>
    Array.from({ length: times }).reduce<Breaker>((breaker) => afterAttempt(breaker, false, nowMs), from)

  test('four failures in a row change nothing, the fifth opens the breaker', () => {
    expect(sendsAllowed(failing(4), 0, 8)).toBe(8)
    expect(sendsAllowed(failing(5), 0, 8)).toBe(0)
  })

  test('an answer in between starts the count again', () => {
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
})
