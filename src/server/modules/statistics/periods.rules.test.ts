import { describe, expect, test } from 'vitest'
import { comparedSpans, daysBefore, nextPeriod, periodsBetween, periodStart } from './periods.rules.ts'

const start = (period: 'hour' | 'day' | 'week' | 'month', moment: string) =>
  periodStart(period, new Date(moment)).toISOString()

describe('a period of Vietnam', () => {
  test.each([
    ['hour', '2026-11-22T17:59:59.999Z', '2026-11-22T17:00:00.000Z'],
    ['day', '2026-11-22T16:59:59.999Z', '2026-11-21T17:00:00.000Z'],
    ['day', '2026-11-22T17:00:00.000Z', '2026-11-22T17:00:00.000Z'],
    // A Sunday belongs to the week that began on Monday the 16th.
    ['week', '2026-11-22T16:59:59.000Z', '2026-11-15T17:00:00.000Z'],
    ['week', '2026-11-22T17:00:00.000Z', '2026-11-22T17:00:00.000Z'],
    ['month', '2026-11-30T17:00:00.000Z', '2026-11-30T17:00:00.000Z'],
    ['month', '2026-11-30T16:59:59.000Z', '2026-10-31T17:00:00.000Z'],
  ] as const)('%s at %s begins at %s', (period, moment, expected) =>
    expect(start(period, moment)).toBe(expected),
  )

  test('is followed by the next one, also over the end of a year', () => {
    const december = periodStart('month', new Date('2026-12-15T00:00:00Z'))
    expect(nextPeriod('month', december).toISOString()).toBe('2026-12-31T17:00:00.000Z')
    expect(nextPeriod('week', december).getTime() - december.getTime()).toBe(7 * 86_400_000)
  })

  test('is listed once each between two days, and no further', () => {
    const days = { from: new Date('2026-11-20T17:00:00Z'), to: new Date('2026-11-22T17:00:00Z') }
    expect(periodsBetween('day', days, 400)).toHaveLength(2)
    expect(periodsBetween('hour', days, 400)).toHaveLength(48)
    expect(periodsBetween('week', days, 400)).toHaveLength(1)
    expect(periodsBetween('hour', days, 10)).toHaveLength(11)
  })
})

test('the day some days before another is found across months; what is no day stays', () => {
  expect(daysBefore('2026-03-01', 29)).toBe('2026-01-31')
  expect(daysBefore('x', 29)).toBe('x')
})

const at = (text: string) => new Date(`${text}+07:00`)
const span = (from: string, to: string) => ({ from: at(from), to: at(to) })

test.each([
  [
    'a day that is over with the day before',
    span('2026-11-24T00:00', '2026-11-25T00:00'),
    '2026-11-25T14:20',
    span('2026-11-24T00:00', '2026-11-25T00:00'),
    span('2026-11-23T00:00', '2026-11-24T00:00'),
  ],
  [
    'today until now with yesterday until the same time',
    span('2026-11-25T00:00', '2026-11-26T00:00'),
    '2026-11-25T14:20',
    span('2026-11-25T00:00', '2026-11-25T14:20'),
    span('2026-11-24T00:00', '2026-11-24T14:20'),
  ],
  [
    'a week that goes on until today with the week before, ending at the same time',
    span('2026-11-19T00:00', '2026-11-26T00:00'),
    '2026-11-25T14:59',
    span('2026-11-19T00:00', '2026-11-25T14:59'),
    span('2026-11-12T00:00', '2026-11-18T14:59'),
  ],
])('%s', (...example) => {
  const [, days, computedAt, now, before] = example
  expect(comparedSpans(days, at(computedAt))).toEqual({ now, before })
})

test.each(['2026-11-24T23:00', '2026-11-25T00:00'])(
  'a day that has not begun at %s is compared with nothing',
  (computedAt) => {
    expect(comparedSpans(span('2026-11-25T00:00', '2026-11-26T00:00'), at(computedAt))).toBeNull()
  },
)
