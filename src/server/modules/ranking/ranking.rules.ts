import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'

/** Which recharges a ranking counts: of this month, of this week, or of given days. */
export type RechargePeriod =
  | { period: 'month' | 'week'; startsOn: null; endsOn: null }
  | { period: 'dates'; startsOn: string; endsOn: string }

const DAY_MS = 86_400_000

/** The moment a day begins in Vietnam. */
const startOf = (day: string): Date => new Date(`${day}T00:00:00+07:00`)

/** From when until when a ranking counts, by the calendar of Vietnam; it counts on where there is no end. */
export function boundsOf(
  { period, startsOn, endsOn }: RechargePeriod,
  now: Date,
): { since: Date; until: Date | null } {
  if (period === 'dates') {
    return { since: startOf(startsOn), until: new Date(startOf(endsOn).getTime() + DAY_MS) }
  }
  const today = vietnamDay(now)
  if (period === 'month') return { since: startOf(`${today.slice(0, 7)}-01`), until: null }
  // Sunday is the last day of a week.
  const daysSinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  return { since: new Date(startOf(today).getTime() - daysSinceMonday * DAY_MS), until: null }
}
