import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readVietnamClock, vietnamClock, vietnamDay, vietnamDayBounds } from './vietnam-time.rules.ts'

test('the day turns at midnight in Vietnam', () => {
  expect(vietnamClock(new Date('2026-12-31T16:59:59.999Z'))).toBe('2026-12-31 23:59:59')
  expect(vietnamClock(new Date('2026-12-31T17:00:00Z'))).toBe('2027-01-01 00:00:00')
  expect(vietnamDay(new Date('2026-12-31T16:59:59.999Z'))).toBe('2026-12-31')
  expect(vietnamDay(new Date('2026-12-31T17:00:00Z'))).toBe('2027-01-01')
})

test('a day goes from midnight to midnight, one that the calendar does not have does not begin', () => {
  expect(vietnamDayBounds('2027-01-01')).toEqual({
    start: new Date('2026-12-31T17:00:00Z'),
    end: new Date('2027-01-01T17:00:00Z'),
  })
  expect(vietnamDayBounds('2028-02-29')).toBeDefined()
  for (const text of ['2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '20261121', '2026-1-1', '']) {
    expect(vietnamDayBounds(text)).toBeUndefined()
  }
})

test('what a clock shows is read back to the second', () => {
  const moments = fc.date({ min: new Date('1970-01-02'), max: new Date('2999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, (moment) => {
      const second = new Date(Math.floor(moment.getTime() / 1000) * 1000)
      expect(readVietnamClock(vietnamClock(moment))).toEqual(second)
    }),
  )
})

test.each([
  '2026-02-31 10:00:00',
  '2026-11-21 24:00:00',
  '2026-11-21T10:00:00',
  '2026-11-21 10:00',
  'hôm qua',
])('%o is on no clock', (text) => {
  expect(readVietnamClock(text)).toBeUndefined()
})
