import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import {
  STATISTICS_PERIODS,
  STATISTICS_ROWS_MAX,
  operatorStatistics,
  type StatisticsRow,
} from '#contract/operator/statistics.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { invalidField } from '#server/platform/values/errors.ts'
import { vietnamDay, vietnamDayBounds } from '#server/platform/values/vietnam-time.rules.ts'
import {
  comparedSpans,
  DAY_MS,
  daysBefore,
  nextPeriod,
  periodsBetween,
  periodStart,
  type Span,
} from './periods.rules.ts'
import {
  countActive,
  findFirstHour,
  findLastHour,
  findOldestReview,
  listDueHours,
  storeUnmatchedAge,
  listPeriods,
  readCases,
  storeActive,
  storeHour,
  sumSpan,
  takeTurn,
  type PeriodRow,
} from './statistics.queries.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

/** After its end an hour is computed once more this many hours later: no transaction is open for so long. */
const SETTLE_HOURS = 2
const HOURS_AT_ONCE = 24

type ComputeDeps = Pick<PlatformDeps, 'db' | 'log'> & { now: Date }

/**
 * Computes what is missing until now: hours never computed, and those computed before they were over and settled.
 * Computing an hour again gives the same figures. Returns true when there may be more.
 */
export async function computeStatistics(deps: ComputeDeps): Promise<boolean> {
  const { now } = deps
  let isFull = false
  const hasMore = await workOff(deps, {
    job: 'figures of the last hours',
    limit: HOURS_AT_ONCE,
    async list(db, isResting) {
      const due = { now, settleHours: SETTLE_HOURS, limit: HOURS_AT_ONCE }
      const hours = await listDueHours(db, isResting, due)
      isFull = hours.length === HOURS_AT_ONCE
      return hours
    },
    work: (hour) => computeHour(deps, new Date(hour)),
  })
  // The hour that runs is never done with.
  return hasMore && isFull
}

async function computeHour({ db, now }: ComputeDeps, hour: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await takeTurn(tx))) return false
    await storeHour(tx, hour, now)
    for (const period of STATISTICS_PERIODS)
      await storeActive(tx, hour, { period, start: periodStart(period, hour) })
    if (now < nextPeriod('hour', hour))
      await storeUnmatchedAge(tx, hour, { now, since: await findOldestReview(tx) })
    return true
  })
}

type Statistics = AnswerOf<typeof operatorStatistics.read>
type Query = QueryOf<typeof operatorStatistics.read>

const USUAL_DAYS = 30

async function readStatistics(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  { to = vietnamDay(clock.now()), from = daysBefore(to, USUAL_DAYS - 1), by = 'day' }: Query,
): Promise<Statistics> {
  const [first, last] = [vietnamDayBounds(from), vietnamDayBounds(to)]
  if (first === undefined) throw invalidField('from', 'Không có ngày này')
  if (last === undefined || last.end <= first.start)
    throw invalidField('to', 'Ngày cuối không được trước ngày đầu')
  const starts = periodsBetween(by, { from: first.start, to: last.end }, STATISTICS_ROWS_MAX)
  if (starts.length > STATISTICS_ROWS_MAX)
    throw invalidField('to', `Khoảng này có hơn ${STATISTICS_ROWS_MAX} dòng, hãy chọn khoảng ngắn hơn`)
  const end = nextPeriod(by, starts.at(-1) as Date)
  const computedAt = (await findLastHour(db))?.computed_at ?? null
  return {
    by,
    computed_at: computedAt?.toISOString() ?? null,
    rows: (await listPeriods(db, by, { starts, end })).map(toRow),
    compared: computedAt && (await compare(db, { from: first.start, to: last.end }, computedAt)),
    unmatched_since: (await findOldestReview(db))?.toISOString() ?? null,
    cases: await readCases(db, { from: first.start, to: last.end }),
  }
}

/** The days of the query, and as many before them if there are figures of all of these. */
async function compare(db: Db, days: Span, computedAt: Date): Promise<Statistics['compared']> {
  const spans = comparedSpans(days, computedAt)
  if (spans === null) return null
  const firstHour = await findFirstHour(db)
  const isThere = firstHour !== undefined && firstHour <= spans.before.from
  return { now: await readSpan(db, spans.now), before: isThere ? await readSpan(db, spans.before) : null }
}

async function readSpan(db: Db, span: Span) {
  const sums = await sumSpan(db, span)
  const isOneDay = span.to.getTime() - span.from.getTime() <= DAY_MS
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    figures: { ...numbersOf(sums), active_players: isOneDay ? await countActive(db, span) : null },
  }
}

const numbersOf = <Name extends string>(sums: Record<Name, string>) =>
  Object.fromEntries(Object.entries<string>(sums).map(([name, sum]) => [name, parseCoins(sum)])) as Record<
    Name,
    number
  >

function toRow({ start, unmatched_age_s, ...sums }: PeriodRow): StatisticsRow {
  const { momo_vnd, vietcombank_vnd, acb_vnd, other_vnd, wallets, ...figures } = numbersOf(sums)
  return {
    ...figures,
    start: start.toISOString(),
    money_in: { momo: momo_vnd, vietcombank: vietcombank_vnd, acb: acb_vnd, other: other_vnd },
    in_wallets: wallets,
    unmatched_age_s: unmatched_age_s === null ? null : parseCoins(unmatched_age_s),
  }
}

export function registerOperatorStatistics(api: Api, deps: PlatformDeps): void {
  api.serve(operatorStatistics.read, ({ query }) => readStatistics(deps, query))
}
