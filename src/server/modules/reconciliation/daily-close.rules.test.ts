import { describe, expect, test } from 'vitest'
import type { CloseFigures } from '#contract/operator/daily-closes.ts'
import {
  dayBefore,
  dayBounds,
  dayOf,
  differencesOf,
  isDay,
  isSameClose,
  meaningOf,
  nextAt,
  readFrom,
  statusOf,
} from './daily-close.rules.ts'

const EVEN: CloseFigures = {
  bank_in_count: 4,
  bank_in_vnd: 200_000,
  bank_out_vnd: 30_000,
  arrived_count: 4,
  arrived_vnd: 200_000,
  told_vnd: 200_000,
  left_vnd: 30_000,
  credited_vnd: 100_000,
  review_vnd: 50_000,
  refunded_vnd: 40_000,
  ignored_vnd: 10_000,
  due_coins: 200_000,
  ledger_coins: 200_000,
  order_coins: 150_000,
  direct_coins: 50_000,
  open_events: 0,
}
const NO_DOUBTS = { unreadableRows: 0, withoutReason: 0 }
const differences = (change: Partial<CloseFigures>, doubts = {}) =>
  differencesOf({ ...EVEN, ...change }, { ...NO_DOUBTS, ...doubts })

describe('a close', () => {
  test('is green when all agrees, and not compared without a statement', () => {
    expect(differences({})).toEqual([])
    const without = { bank_in_count: null, bank_in_vnd: null, bank_out_vnd: null }
    expect(differences(without)).toEqual([])
    expect(statusOf(EVEN, [])).toBe('green')
    expect(statusOf({ ...EVEN, ...without }, [])).toBe('not-compared')
    expect(statusOf({ ...EVEN, ...without }, ['coins'])).toBe('red')
    const empty = { ...EVEN, ...without, arrived_count: 0, left_vnd: 0, open_events: 0 }
    expect(statusOf(empty, [])).toBe('empty')
    for (const something of [{ arrived_count: 1 }, { left_vnd: 1 }, { open_events: 1 }])
      expect(statusOf({ ...empty, ...something }, [])).toBe('not-compared')
  })

  test.each<[string, Partial<CloseFigures>, object]>([
    ['bank-more', { bank_in_count: 5, bank_in_vnd: 250_000 }, {}],
    ['bank-less', { bank_in_count: 3, bank_in_vnd: 150_000 }, {}],
    ['bank-amounts', { bank_in_vnd: 200_001 }, {}],
    ['bank-outgoing', { bank_out_vnd: 0 }, {}],
    ['bank-unreadable', {}, { unreadableRows: 1 }],
    ['untold', { told_vnd: 150_000 }, {}],
    ['without-reason', {}, { withoutReason: 1 }],
    ['unaccounted', { ignored_vnd: 0 }, {}],
    ['coins', { due_coins: 199_999 }, {}],
    ['orders', { direct_coins: 0 }, {}],
    ['open-events', { open_events: 1 }, {}],
  ])('names %s and nothing else', (difference, change, doubts) => {
    expect(differences(change, doubts)).toEqual([difference])
    expect(meaningOf(difference as 'coins').length).toBeGreaterThan(20)
  })

  test('is another one as soon as one figure or one difference is', () => {
    const close = { accountNumber: '1', figures: EVEN, differences: [] }
    expect(isSameClose(close, { ...close })).toBe(true)
    expect(isSameClose(close, { ...close, figures: { ...EVEN, open_events: 1 } })).toBe(false)
    expect(isSameClose(close, { ...close, differences: ['coins'] })).toBe(false)
  })
})

describe('a day', () => {
  test('begins and ends at midnight in Vietnam', () => {
    const { since, until } = dayBounds('2026-11-20')
    expect([since.toISOString(), until.toISOString()]).toEqual([
      '2026-11-19T17:00:00.000Z',
      '2026-11-20T17:00:00.000Z',
    ])
    expect([dayOf(since), dayOf(new Date(until.getTime() - 1)), dayOf(until)]).toEqual([
      '2026-11-20',
      '2026-11-20',
      '2026-11-21',
    ])
    expect(dayBefore(new Date('2026-02-28T17:00:00Z'))).toBe('2026-02-28')
  })

  test.each(['2026-02-29', '2026-13-01', '20261120', '2026-11-20 ', "2026-11-20'", ''])(
    'is not %j',
    (text) => {
      expect(isDay(text)).toBe(false)
    },
  )

  test('is closed half an hour after it is over', () => {
    expect(nextAt(new Date('2026-11-20T17:29:59Z'), 30).toISOString()).toBe('2026-11-20T17:30:00.000Z')
    expect(nextAt(new Date('2026-11-20T17:30:00Z'), 30).toISOString()).toBe('2026-11-21T17:30:00.000Z')
  })

  test('lists are read three days back, further after a silence, and never more than a month', () => {
    const now = new Date('2026-11-20T00:00:00Z')
    const from = (readAt: string | null) =>
      readFrom(now, readAt === null ? null : new Date(readAt)).toISOString()
    expect(from(null)).toBe('2026-11-17T00:00:00.000Z')
    expect(from('2026-11-19T23:50:00Z')).toBe('2026-11-17T00:00:00.000Z')
    expect(from('2026-11-10T00:00:00Z')).toBe('2026-11-09T00:00:00.000Z')
    expect(from('2026-01-01T00:00:00Z')).toBe('2026-10-20T00:00:00.000Z')
  })
})
