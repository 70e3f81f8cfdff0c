import type { StatisticsPeriod } from '#contract/operator/statistics.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const OFFSET_MS = 7 * HOUR_MS

/** A date whose UTC fields read as the clock in Vietnam does. */
const inVietnam = (moment: Date): Date => new Date(moment.getTime() + OFFSET_MS)
const toMoment = (year: number, month: number, day: number): Date =>
  new Date(Date.UTC(year, month, day) - OFFSET_MS)

/** The beginning of the hour, day, week (from Monday) or month of Vietnam in which a moment lies. */
export function periodStart(period: StatisticsPeriod, moment: Date): Date {
  // Vietnam is ahead of UTC by whole hours.
  if (period === 'hour') return new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS)
  const local = inVietnam(moment)
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  if (period === 'month') return toMoment(year, month, 1)
  const sinceMonday = period === 'week' ? (local.getUTCDay() + 6) % 7 : 0
  return toMoment(year, month, day - sinceMonday)
}

export function nextPeriod(period: StatisticsPeriod, start: Date): Date {
  if (period === 'hour') return new Date(start.getTime() + HOUR_MS)
  if (period === 'day') return new Date(start.getTime() + DAY_MS)
  if (period === 'week') return new Date(start.getTime() + 7 * DAY_MS)
  const local = inVietnam(start)
  return toMoment(local.getUTCFullYear(), local.getUTCMonth() + 1, 1)
}

/** The periods between two moments, both within one; at most `most` of them and one more. */
export function periodsBetween(
  period: StatisticsPeriod,
  { from, to }: { from: Date; to: Date },
  most: number,
): Date[] {
  const starts: Date[] = []
  for (let start = periodStart(period, from); start < to; start = nextPeriod(period, start)) {
    starts.push(start)
    if (starts.length > most) break
  }
  return starts
}

export type Span = { from: Date; to: Date }

/**
 * Some days and as many before them. Of days that are not over both end at the same time of the day, that of `computedAt`, so that
 * like is compared with like; null where they have not begun.
 */
export function comparedSpans({ from, to }: Span, computedAt: Date): { now: Span; before: Span } | null {
  const end = computedAt < to ? computedAt : to
  if (end <= from) return null
  const back = to.getTime() - from.getTime()
  const earlier = (moment: Date) => new Date(moment.getTime() - back)
  return { now: { from, to: end }, before: { from: earlier(from), to: earlier(end) } }
}

/** The day so many days before another, `2026-11-22`; what is no day stays as it is. */
export function daysBefore(day: string, days: number): string {
  const noon = Date.parse(`${day}T12:00:00Z`)
  return Number.isNaN(noon) ? day : new Date(noon - days * DAY_MS).toISOString().slice(0, 10)
}
