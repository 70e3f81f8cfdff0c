import { useSearchParams } from 'react-router'
import { serverNow } from '#client/server-clock.ts'
import { vietnamDayOf } from '#contract/format.ts'
import type { StatisticsPeriod } from '#contract/operator/statistics.ts'

const DAY_MS = 86_400_000

/** A day as the calls take it, so many days before today in Vietnam. */
export const todayInVietnam = (daysAgo = 0): string => vietnamDayOf(serverNow() - daysAgo * DAY_MS)

/** How many days a period has that ends today; `own` has its days in the address. */
export const PERIODS = { today: 1, '7': 7, '30': 30, '90': 90 } as const

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

const isNamed = (name: string): name is NamedPeriod => name in PERIODS

function readPeriod(params: URLSearchParams): Period {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  if (DAY.test(from) && DAY.test(to)) return { name: 'own', from, to, by: barsOf(from, to) }
  const given = params.get('period') ?? ''
  const name = isNamed(given) ? given : USUAL
  const first = todayInVietnam(PERIODS[name] - 1)
  const last = todayInVietnam()
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
