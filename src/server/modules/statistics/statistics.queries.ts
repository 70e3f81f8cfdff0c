import { sql } from 'kysely'
import type { StatisticsPeriod } from '#contract/operator/statistics.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { activeIn } from './hours.queries.ts'
import { periodStart, type Span } from './periods.rules.ts'

type Figures = Record<
  | 'issued'
  | 'spent'
  | 'refunded'
  | 'wallets'
  | 'held'
  | 'debts'
  | 'momo_vnd'
  | 'vietcombank_vnd'
  | 'acb_vnd'
  | 'other_vnd'
  | 'luong'
  | 'new_players'
  | 'first_recharges'
  | 'money_back'
  | 'deliveries'
  | 'payers',
  string
>

export type PeriodRow = Figures & {
  start: Date
  unmatched_age_s: string | null
  active_players: string | null
}

/** The figures of the given periods, each ending where the next begins; balances are what all hours until then add up to. */
export async function listPeriods(
  db: Db,
  period: StatisticsPeriod,
  { starts, end, now }: { starts: readonly Date[]; end: Date; now: Date },
): Promise<PeriodRow[]> {
  const { rows } = await sql<PeriodRow>`
    WITH periods AS (
      SELECT start, lead(start, 1, ${end}::timestamptz) OVER (ORDER BY start) AS next
        FROM unnest(${[...starts]}::timestamptz[]) AS start),
    sums AS (
      SELECT p.start, p.next, sum(issued) AS issued, sum(spent) AS spent, sum(refunded) AS refunded,
             sum(wallets_change) AS wallets, sum(held_change) AS held, sum(debts_change) AS debts,
             sum(momo_vnd) AS momo_vnd, sum(vietcombank_vnd) AS vietcombank_vnd, sum(acb_vnd) AS acb_vnd,
             sum(other_vnd) AS other_vnd, sum(luong) AS luong, sum(new_players) AS new_players,
             sum(first_recharges) AS first_recharges, sum(money_back_vnd) AS money_back,
             sum(deliveries) AS deliveries, max(unmatched_age_s) AS unmatched_age_s
        FROM periods p LEFT JOIN statistics_hour h ON h.hour >= p.start AND h.hour < p.next
       GROUP BY p.start, p.next),
    paid AS (
      SELECT p.start, sum(payers) AS payers
        FROM periods p
        JOIN statistics_payer ON hour >= p.start AND hour < p.next
                             AND (${period}::text = 'hour' OR previous_day < vietnam_day(p.start))
       GROUP BY p.start),
    before AS (
      SELECT coalesce(sum(wallets_change), 0) AS wallets, coalesce(sum(held_change), 0) AS held,
             coalesce(sum(debts_change), 0) AS debts
        FROM statistics_hour WHERE hour < ${starts[0]}::timestamptz)
    SELECT s.start, coalesce(issued, 0) AS issued, coalesce(spent, 0) AS spent, coalesce(refunded, 0) AS refunded,
           before.wallets + coalesce(sum(s.wallets) OVER line, 0) AS wallets,
           before.held + coalesce(sum(s.held) OVER line, 0) AS held,
           before.debts + coalesce(sum(s.debts) OVER line, 0) AS debts,
           coalesce(momo_vnd, 0) AS momo_vnd, coalesce(vietcombank_vnd, 0) AS vietcombank_vnd,
           coalesce(acb_vnd, 0) AS acb_vnd, coalesce(other_vnd, 0) AS other_vnd, coalesce(luong, 0) AS luong,
           coalesce(new_players, 0) AS new_players, coalesce(first_recharges, 0) AS first_recharges,
           coalesce(money_back, 0) AS money_back, coalesce(deliveries, 0) AS deliveries,
           coalesce(paid.payers, 0) AS payers, s.unmatched_age_s,
           CASE WHEN s.start = date_trunc(${period}, s.start, 'Asia/Ho_Chi_Minh')
                 AND (s.next > ${now}::timestamptz OR s.next = date_trunc(${period}, s.next, 'Asia/Ho_Chi_Minh'))
                THEN coalesce(a.players, 0) END AS active_players
      FROM sums s CROSS JOIN before
      LEFT JOIN paid ON paid.start = s.start
      LEFT JOIN statistics_active a ON a.period = ${period} AND a.start = s.start
    WINDOW line AS (ORDER BY s.start)
     ORDER BY s.start`.execute(db)
  return rows
}

/** The first hour there is; the hours after it have no gaps. */
export async function findFirstHour(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('statistics_hour')
    .select('hour')
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  return row?.hour
}

export type SpanRow = Record<
  | 'money_in_total'
  | 'issued'
  | 'spent'
  | 'refunded'
  | 'in_wallets'
  | 'held'
  | 'debts'
  | 'luong'
  | 'new_players'
  | 'first_recharges'
  | 'money_back'
  | 'deliveries'
  | 'payers',
  string
>

/** What the hours of a time add up to, which begins with a day of Vietnam; balances are what all hours until its end do. */
export async function sumSpan(db: Db, { from, to }: Span): Promise<SpanRow> {
  const { rows } = await sql<SpanRow>`
    WITH span AS (
      SELECT coalesce(sum(momo_vnd + vietcombank_vnd + acb_vnd + other_vnd), 0) AS money_in_total,
             coalesce(sum(issued), 0) AS issued, coalesce(sum(spent), 0) AS spent,
             coalesce(sum(refunded), 0) AS refunded, coalesce(sum(luong), 0) AS luong,
             coalesce(sum(new_players), 0) AS new_players, coalesce(sum(first_recharges), 0) AS first_recharges,
             coalesce(sum(money_back_vnd), 0) AS money_back, coalesce(sum(deliveries), 0) AS deliveries
        FROM statistics_hour WHERE hour >= ${from} AND hour < ${to}),
    paid AS (
      SELECT coalesce(sum(payers), 0) AS payers FROM statistics_payer
       WHERE hour >= ${from} AND hour < ${to} AND previous_day < vietnam_day(${from})),
    balances AS (
      SELECT coalesce(sum(wallets_change), 0) AS in_wallets, coalesce(sum(held_change), 0) AS held,
             coalesce(sum(debts_change), 0) AS debts
        FROM statistics_hour WHERE hour < ${to})
    SELECT span.*, paid.*, balances.* FROM span CROSS JOIN paid CROSS JOIN balances`.execute(db)
  return rows[0] as SpanRow
}

/** How many were active in a time of at most a day, which begins with an hour. */
export async function countActive(db: Db, { from, to }: Span): Promise<number> {
  const lastHour = periodStart('hour', to)
  const { rows } = await sql<{ players: string }>`
    SELECT count(*) AS players FROM (
      SELECT user_id FROM statistics_active_player WHERE period = 'hour' AND start >= ${from} AND start < ${lastHour}
       UNION ${activeIn({ from: lastHour, to })}) AS active`.execute(db)
  return Number(rows[0]?.players)
}

/** Since when the oldest money waits that nobody has decided about. */
export async function findOldestReview(db: Db | Tx): Promise<Date | undefined> {
  const row = await db
    .selectFrom('bank_transaction')
    .select('created_at')
    .where('state', '=', 'review')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** More are not counted: these tables grow without end. */
const COUNT_MAX = 10_000

type Cases = { waiting: number; first_answer_seconds: number | null }

/** How many cases wait for an answer, and the median time to the first answer of those of a time. */
export async function readCases(db: Db, { from, to }: Span): Promise<Cases> {
  const { rows } = await sql<Cases>`
    SELECT (SELECT count(*)::integer FROM (
              SELECT FROM help_case WHERE state = 'open' ORDER BY id LIMIT ${COUNT_MAX}) AS open) AS waiting,
           (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds))::float8 FROM (
              SELECT extract(epoch FROM first_answered_at - created_at) AS seconds FROM help_case
               WHERE first_answered_at IS NOT NULL AND created_at >= ${from} AND created_at < ${to}
               ORDER BY created_at DESC LIMIT ${COUNT_MAX}) AS answered) AS first_answer_seconds`.execute(db)
  return rows[0] as Cases
}
