import { vietnamDay, vietnamDayBounds } from '#server/platform/vietnam-time.rules.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A day on the calendar in Vietnam, `2026-11-20`. */
export type Day = string

export const isDay = (text: string): boolean => vietnamDayBounds(text) !== undefined

export const dayOf = (moment: Date): Day => vietnamDay(moment)

/** From its first moment to that of the next day, which belongs to it no more. */
export function dayBounds(day: Day): { since: Date; until: Date } {
  const bounds = vietnamDayBounds(day)
  if (bounds === undefined) throw new RangeError(`${day} is no day`)
  return { since: bounds.start, until: bounds.end }
}

export function dayBefore(moment: Date): Day {
  return dayOf(new Date(moment.getTime() - DAY_MS))
}

/** The next time a clock in Vietnam shows that many minutes past midnight. */
export function nextAt(moment: Date, minutes: number): Date {
  const today = dayBounds(dayOf(moment)).since.getTime() + minutes * 60_000
  return new Date(today > moment.getTime() ? today : today + DAY_MS)
}

const FIRST_READING_DAYS = 3
const READING_DAYS_MAX = 31

/** From where on a list is read: three days back, and after a long silence as far as it was read, a month at most. */
export function readFrom(now: Date, readAt: Date | null): Date {
  const usual = now.getTime() - FIRST_READING_DAYS * DAY_MS
  const needed = readAt === null ? usual : Math.min(usual, readAt.getTime() - DAY_MS)
  return new Date(Math.max(needed, now.getTime() - READING_DAYS_MAX * DAY_MS))
}
