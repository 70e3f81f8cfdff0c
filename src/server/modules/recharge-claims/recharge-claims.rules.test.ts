import { describe, expect, test } from 'vitest'
import { Refusal } from '#server/platform/values/errors.ts'
import { comparableReference, readPaidAt } from './recharge-claims.service.ts'

const now = new Date('2026-11-21T12:00:00Z')

function errorsOf(text: string): string[] {
  try {
    readPaidAt(text, now)
  } catch (error) {
    if (error instanceof Refusal) return Object.keys(error.errors ?? {})
  }
  return []
}

describe('when the money was sent', () => {
  test.each([
    ['2026-11-21T19:04:59+07:00', '2026-11-21T12:04:59.000Z'],
    ['2026-11-21T12:05:00Z', '2026-11-21T12:05:00.000Z'],
    ['2026-09-22T12:00:00Z', '2026-09-22T12:00:00.000Z'],
  ])('%s is taken', (text, moment) => {
    expect(readPaidAt(text, now).toISOString()).toBe(moment)
  })

  test.each(['2026-11-21T12:05:01Z', '2026-09-22T11:59:59Z', '0001-01-01T00:00:00Z', '2026-11-21T12:00:60Z'])(
    '%s is refused',
    (text) => {
      expect(errorsOf(text)).toEqual(['paid_at'])
    },
  )
})

test('references are compared without gaps and in one case', () => {
  expect(comparableReference(' ft2632 5abc ')).toBe('FT26325ABC')
})
