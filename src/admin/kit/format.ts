import { formatDay, formatMoment, formatNumber } from '#contract/format.ts'
import type { StatisticsPeriod } from '#contract/operator/statistics.ts'
import { kitCopy } from './kit.copy.ts'

const NO_BREAK_SPACE = '\u00a0'

/** A moment in Vietnam, to the minute, on one line; a dash for none. */
export const momentText = (moment: string | null): string =>
  moment === null ? kitCopy.time.none : formatMoment(moment).replaceAll(' ', NO_BREAK_SPACE)

type Span = { starts_at: string; ends_at: string | null }

/** When a planned price comes, and when it goes back. */
export const plannedTime = ({ starts_at, ends_at }: Span): string =>
  ends_at === null
    ? kitCopy.planned.forGood(momentText(starts_at))
    : kitCopy.planned.between(momentText(starts_at), momentText(ends_at))

const COMPACT = new Intl.NumberFormat('vi-VN', { notation: 'compact', maximumFractionDigits: 1 })

/** `12,3 Tr`, where there is no place for more. */
export const compactNumber = (amount: number): string => COMPACT.format(amount)

export const vnd = (amount: number) => `${formatNumber(amount)} đ`

/** An amount that moved, with its sign. */
export const signedNumber = (amount: number) => `${amount > 0 ? '+' : '−'}${formatNumber(Math.abs(amount))}`

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

/** How long something has waited, in its two largest units. */
export function ageText(seconds: number): string {
  if (seconds < HOUR_S) return kitCopy.time.minutes(Math.ceil(seconds / MINUTE_S))
  const hours = Math.floor(seconds / HOUR_S)
  if (seconds < DAY_S)
    return `${kitCopy.time.hours(hours)} ${kitCopy.time.minutes(Math.floor((seconds % HOUR_S) / MINUTE_S))}`
  return `${kitCopy.time.days(Math.floor(seconds / DAY_S))} ${kitCopy.time.hours(hours % 24)}`
}

/** A bar of the chart in full: an hour, a day, the first day of a week, a month. */
export function periodText(start: string, by: StatisticsPeriod): string {
  if (by === 'hour') return formatMoment(start)
  return by === 'month' ? formatDay(start).slice(3) : formatDay(start)
}

/** The same under an axis. */
export function shortPeriodText(start: string, by: StatisticsPeriod): string {
  if (by === 'hour') return formatMoment(start).slice(-5)
  return by === 'month' ? formatDay(start).slice(3) : formatDay(start).slice(0, 5)
}
