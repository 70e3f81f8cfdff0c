import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import {
  STATISTICS_PERIODS,
  STATISTICS_ROWS_MAX,
  COHORT_WEEKS,
  operatorStatistics,
  type StatisticsPeriod,
  type StatisticsRow,
} from '#contract/operator/statistics.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { sendExport } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { csvFile } from '#server/platform/http/csv-file.ts'
import { validateQuery } from '#server/platform/http/validate.ts'
import { type Cell, csvMoment } from '#server/platform/values/csv.rules.ts'
import { invalidField } from '#server/platform/values/errors.ts'
import { boundsOfDay, vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
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
  countPayersOf,
  findLastHour,
  listDueHours,
  readFiguresOf,
  storeActive,
  storeHour,
  storeParts,
  storePayers,
  storeUnmatchedAge,
  takeTurn,
} from './hours.queries.ts'
import { listCohorts, listParts, sumParts, sumWeekHours } from './parts.queries.ts'
import {
  countActive,
  findFirstHour,
  findOldestReview,
  listPeriods,
  type PeriodRow,
  readCases,
  sumSpan,
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
    await storeParts(tx, hour)
    await storePayers(tx, hour)
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
const WEEK_MS = 7 * DAY_MS

type Days = Pick<Query, 'from' | 'to'>

/** The days of a query; 30 until today where it names none. */
function daysOf({ clock }: Pick<PlatformDeps, 'clock'>, { from, to }: Days): Span {
  const lastDay = to ?? vietnamDay(clock.now())
  const { start } = boundsOfDay(from ?? daysBefore(lastDay, USUAL_DAYS - 1))
  const { end } = boundsOfDay(lastDay)
  if (end <= start) throw invalidField('to', 'Ngày cuối không được trước ngày đầu')
  return { from: start, to: end }
}

/** The periods of some days. What lies outside these is no part of the first and the last one. */
function periodsOf(by: StatisticsPeriod, { from, to }: Span): { starts: Date[]; end: Date } {
  const [, ...rest] = periodsBetween(by, { from, to }, STATISTICS_ROWS_MAX)
  if (rest.length >= STATISTICS_ROWS_MAX)
    throw invalidField('to', `Khoảng này có hơn ${STATISTICS_ROWS_MAX} dòng, hãy chọn khoảng ngắn hơn`)
  return { starts: [from, ...rest], end: to }
}

type ReadDeps = Pick<PlatformDeps, 'db' | 'clock'>

const readRows = async (
  { db, clock }: ReadDeps,
  by: StatisticsPeriod,
  days: Span,
): Promise<StatisticsRow[]> =>
  (await listPeriods(db, by, { ...periodsOf(by, days), now: clock.now() })).map(toRow)

async function readStatistics(deps: ReadDeps, { by = 'day', ...query }: Query): Promise<Statistics> {
  const { db } = deps
  const days = daysOf(deps, query)
  const computedAt = (await findLastHour(db))?.computed_at ?? null
  return {
    by,
    computed_at: computedAt?.toISOString() ?? null,
    rows: await readRows(deps, by, days),
    compared: computedAt && (await compare(db, days, computedAt)),
    unmatched_since: (await findOldestReview(db))?.toISOString() ?? null,
    cases: await readCases(db, days),
  }
}

async function readParts(
  deps: ReadDeps,
  { by = 'day', of = 'channel', ...query }: QueryOf<typeof operatorStatistics.parts>,
): Promise<AnswerOf<typeof operatorStatistics.parts>> {
  const days = daysOf(deps, query)
  const { starts, end } = periodsOf(by, days)
  const parts = await listParts(deps.db, of, { starts, end })
  const shown = new Set(parts.map(({ id }) => id))
  const spans = await comparableSpans(deps.db, days)
  const [now, before] =
    spans === null
      ? []
      : await Promise.all([spans.now, spans.before].map((span) => sumParts(deps.db, of, span)))
  return {
    starts: starts.map((start) => start.toISOString()),
    parts: parts.map(({ id, name, total, amounts }) => ({
      id,
      name,
      total: parseCoins(total),
      amounts: amounts.map(parseCoins),
      compared: now && before ? { now: amountOf(id, now, shown), before: amountOf(id, before, shown) } : null,
    })),
  }
}

/** Of a part that is shown its own amount; of the rest all others'. */
const amountOf = (
  id: string | null,
  sums: ReadonlyMap<string | null, string>,
  shown: ReadonlySet<string | null>,
) =>
  id === null
    ? [...sums].reduce(
        (sum, [part, total]) => (part !== null && shown.has(part) ? sum : sum + parseCoins(total)),
        0,
      )
    : parseCoins(sums.get(id) ?? '0')

/** The whole hours of some days that are over, and as many before them; null where these have no figures of all their hours. */
async function comparableSpans(db: Db, days: Span) {
  const computedAt = (await findLastHour(db))?.computed_at
  const spans = computedAt && comparedSpans(days, periodStart('hour', computedAt))
  return spans && (await hasFiguresSince(db, spans.before.from)) ? spans : null
}

async function hasFiguresSince(db: Db, moment: Date): Promise<boolean> {
  const firstHour = await findFirstHour(db)
  return firstHour !== undefined && firstHour <= moment
}

async function readHours(deps: ReadDeps, query: Days): Promise<AnswerOf<typeof operatorStatistics.hours>> {
  const money = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  for (const { weekday, hour, money_in } of await sumWeekHours(deps.db, daysOf(deps, query)))
    (money[weekday - 1] as number[])[hour] = parseCoins(money_in)
  return { money_in: money }
}

async function readCohorts({ db, clock }: ReadDeps): Promise<AnswerOf<typeof operatorStatistics.cohorts>> {
  const thisWeek = periodStart('week', clock.now())
  const weeks = Array.from({ length: COHORT_WEEKS }, (_, ago) => new Date(thisWeek.getTime() - ago * WEEK_MS))
    .reverse()
    .map(vietnamDay)
  const from = new Date(thisWeek.getTime() - (COHORT_WEEKS - 1) * WEEK_MS)
  const rows = await listCohorts(db, { from, to: nextPeriod('week', thisWeek) })
  return weeks.map((first, at) => {
    const found = weeks.slice(at).map((week) => {
      const row = rows.find((one) => one.first_week === first && one.week === week)
      return { payers: parseCoins(row?.payers ?? '0'), vnd: parseCoins(row?.vnd ?? '0') }
    })
    return { week: first, payers: found[0]?.payers ?? 0, weeks: found }
  })
}

/** The days of the query, and as many before them if there are figures of all of these. */
async function compare(db: Db, days: Span, computedAt: Date): Promise<Statistics['compared']> {
  const spans = comparedSpans(days, computedAt)
  if (spans === null) return null
  const isThere = await hasFiguresSince(db, spans.before.from)
  return { now: await readSpan(db, spans.now), before: isThere ? await readSpan(db, spans.before) : null }
}

/** The figures of a time that begins with a day. Of an hour that it ends within, those are not stored that lie behind its end. */
async function readSpan(db: Db, { from, to }: Span) {
  const lastHour = periodStart('hour', to)
  const figures = numbersOf(await sumSpan(db, { from, to: lastHour }))
  const isOneDay = to.getTime() - from.getTime() <= DAY_MS
  const active_players = isOneDay ? await countActive(db, { from, to }) : null
  const answer = { from: from.toISOString(), to: to.toISOString() }
  if (lastHour.getTime() === to.getTime()) return { ...answer, figures: { ...figures, active_players } }
  const rest = { from: lastHour, to }
  const part = numbersOf(await readFiguresOf(db, rest))
  const added = {
    money_in_total: part.momo_vnd + part.vietcombank_vnd + part.acb_vnd + part.other_vnd,
    money_back: part.money_back_vnd,
    issued: part.issued,
    spent: part.spent,
    refunded: part.refunded,
    in_wallets: part.wallets_change,
    held: part.held_change,
    debts: part.debts_change,
    luong: part.luong,
    deliveries: part.deliveries,
    new_players: part.new_players,
    first_recharges: part.first_recharges,
    payers: parseCoins(await countPayersOf(db, rest, from)),
  }
  const names = Object.keys(added) as (keyof typeof added)[]
  const whole = Object.fromEntries(names.map((name) => [name, figures[name] + added[name]])) as typeof added
  return { ...answer, figures: { ...whole, active_players } }
}

export const numbersOf = <Name extends string>(sums: Record<Name, string>) =>
  Object.fromEntries(Object.entries<string>(sums).map(([name, sum]) => [name, parseCoins(sum)])) as Record<
    Name,
    number
  >

function toRow({ start, unmatched_age_s, active_players, ...sums }: PeriodRow): StatisticsRow {
  const { momo_vnd, vietcombank_vnd, acb_vnd, other_vnd, wallets, ...figures } = numbersOf(sums)
  return {
    ...figures,
    start: start.toISOString(),
    money_in: { momo: momo_vnd, vietcombank: vietcombank_vnd, acb: acb_vnd, other: other_vnd },
    in_wallets: wallets,
    unmatched_age_s: unmatched_age_s === null ? null : parseCoins(unmatched_age_s),
    active_players: active_players === null ? null : parseCoins(active_players),
  }
}

/** The columns of the file, by heading. */
const FILE: Record<string, (row: StatisticsRow) => Cell> = {
  'Kỳ từ': ({ start }) => csvMoment(start),
  'Tiền vào (VND)': ({ money_in: { momo, vietcombank, acb, other } }) => momo + vietcombank + acb + other,
  'MoMo (VND)': ({ money_in }) => money_in.momo,
  'Vietcombank (VND)': ({ money_in }) => money_in.vietcombank,
  'ACB (VND)': ({ money_in }) => money_in.acb,
  'Không có đơn (VND)': ({ money_in }) => money_in.other,
  'Tiền bị hủy cộng (VND)': ({ money_back }) => money_back,
  'Người nạp': ({ payers }) => payers,
  'Nạp lần đầu': ({ first_recharges }) => first_recharges,
  'Người chơi mới': ({ new_players }) => new_players,
  'Người chơi hoạt động': ({ active_players }) => active_players,
  'TCoin phát ra': ({ issued }) => issued,
  'TCoin đã tiêu': ({ spent }) => spent,
  'TCoin hoàn lại': ({ refunded }) => refunded,
  'TCoin trong ví': ({ in_wallets }) => in_wallets,
  'TCoin đang giữ': ({ held }) => held,
  'TCoin người chơi nợ': ({ debts }) => debts,
  'Lượng game đã nhận': ({ luong }) => luong,
  'Lượt mua đã giao': ({ deliveries }) => deliveries,
}

export function registerOperatorStatistics(api: Api, deps: PlatformDeps): void {
  api.serve(operatorStatistics.read, ({ query }) => readStatistics(deps, query))
  api.serveFile(operatorStatistics.read, async ({ identity, request, reply }) => {
    const query = validateQuery(operatorStatistics.read.query as never, request.query) as Query
    const rows = await readRows(deps, query.by ?? 'day', daysOf(deps, query))
    const cells = Object.values(FILE)
    await sendExport(deps, { identity, request, reply }, { exported: 'statistics', filter: query })
    return csvFile<StatisticsRow>({
      headings: Object.keys(FILE),
      cells: (row) => cells.map((cell) => cell(row)),
      read: async (_limit, last) => (last === undefined ? rows : []),
    })
  })
  api.serve(operatorStatistics.parts, ({ query }) => readParts(deps, query))
  api.serve(operatorStatistics.hours, ({ query }) => readHours(deps, query))
  api.serve(operatorStatistics.cohorts, () => readCohorts(deps))
}
