import { useSearchParams } from 'react-router'
import { serverNow } from '#client/server-clock.ts'
import { vietnamDayOf } from '#contract/format.ts'
import type { StatisticsPeriod } from '#contract/operator/statistics.ts'

const DAY_MS = 86_400_000

/** A day as the calls take it, so many days before today in Vietnam. */
export const todayInVietnam = (daysAgo = 0): string => vietnamDayOf(serverNow() - daysAgo * DAY_MS)

type Days = readonly [first: string, last: string]

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const lastDays =
  (count: number) =>
  (today: string): Days => [dayAfter(today, 1 - count), today]

function lastWeek(today: string): Days {
  const monday = dayAfter(today, -((new Date(today).getUTCDay() + 6) % 7))
  return [dayAfter(monday, -7), dayAfter(monday, -1)]
}

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`

function lastMonth(today: string): Days {
  const last = dayAfter(firstOfMonth(today), -1)
  return [firstOfMonth(last), last]
}

/** The first and the last day of each named period, of today; `own` has its days in the address. */
export const PERIODS = {
  today: lastDays(1),
  '7': lastDays(7),
  '30': lastDays(30),
  '90': lastDays(90),
  'last-week': lastWeek,
  'this-month': (today: string): Days => [firstOfMonth(today), today],
  'last-month': lastMonth,
} as const

type NamedPeriod = keyof typeof PERIODS

export type Period = { name: NamedPeriod | 'own'; from: string; to: string; by: StatisticsPeriod }

const USUAL: NamedPeriod = '7'
const DAY = /^\d{4}-\d\d-\d\d$/
/** Charts of more bars are read by the week, and of more than a year by the month. */
const DAYS_BY_DAY = 92
const DAYS_BY_WEEK = 400

/** The bars of a chart of these days: some dozens. */
function barsOf(from: string, to: string): StatisticsPeriod {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days <= 1) return 'hour'
  if (days <= DAYS_BY_DAY) return 'day'
  return days <= DAYS_BY_WEEK ? 'week' : 'month'
}

const isNamed = (name: string): name is NamedPeriod => Object.hasOwn(PERIODS, name)

function readPeriod(params: URLSearchParams): Period {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  if (DAY.test(from) && DAY.test(to)) return { name: 'own', from, to, by: barsOf(from, to) }
  const given = params.get('period') ?? ''
  const name = isNamed(given) ? given : USUAL
  const [first, last] = PERIODS[name](todayInVietnam())
  return { name, from: first, to: last, by: barsOf(first, last) }
}

/** The period that the whole screen shows, in the address. */
export function usePeriod(): {
  period: Period
  choose: (name: NamedPeriod | [from: string, to: string]) => void
} {
  const [params, setParams] = useSearchParams()
  return {
    period: readPeriod(params),
    choose(name) {
      setParams(typeof name === 'string' ? { period: name } : { from: name[0], to: name[1] })
    },
  }
}
