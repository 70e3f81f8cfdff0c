import { type RawBuilder, sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import { type CampaignKind, RETURN_DAYS } from '#contract/operator/campaign-reports.ts'
import { STATISTICS_ROWS_MAX, type StatisticsPeriod } from '#contract/operator/statistics.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'
import type { Span } from './periods.rules.ts'

export type CampaignKey = { kind: CampaignKind; id: string }

/** A tournament that nobody ends is over so many days after its beginning. */
const TOURNAMENT_DAYS = 30

const isOnly = (id: string | null) => (id === null ? sql`true` : sql`id = ${id}::bigint`)

/** What somebody planned and started. */
const planned = (table: 'promotion' | 'gift_code_batch', id: string | null) => sql`
  SELECT id::text AS campaign, title, greatest(starts_at, started_at) AS starts_at, least(ends_at, stopped_at) AS ends_at,
         started_at IS NOT NULL AS is_started
    FROM ${sql.table(table)} WHERE ${isOnly(id)}`

/** The campaigns of each kind, or one of them, and when each runs. */
const CAMPAIGNS: Record<CampaignKind, (id: string | null) => RawBuilder<unknown>> = {
  promotions: (id) => planned('promotion', id),
  'gift-codes': (id) => planned('gift_code_batch', id),
  // What was recharged before its start counts as well.
  milestones: (id) => sql`
    SELECT id::text AS campaign, title, starts_at, least(ends_at, stopped_at) AS ends_at, started_at IS NOT NULL AS is_started
      FROM milestone_program WHERE ${isOnly(id)}`,
  tournaments: (id) => sql`
    SELECT id::text AS campaign, name AS title, registration_start_at AS starts_at,
           least(coalesce(finished_at, cancelled_at), competition_start_at + make_interval(days => ${TOURNAMENT_DAYS})) AS ends_at,
           true AS is_started
      FROM tournaments WHERE ${isOnly(id)}`,
  // The months of Vietnam in which somebody can have registered.
  invitations: (id) => sql`
    SELECT to_char(month, 'YYYY-MM') AS campaign, NULL AS title, month AT TIME ZONE 'Asia/Ho_Chi_Minh' AS starts_at,
           (month + interval '1 month') AT TIME ZONE 'Asia/Ho_Chi_Minh' AS ends_at, true AS is_started
      FROM generate_series(
             date_trunc('month', (SELECT created_at FROM users ORDER BY id LIMIT 1) AT TIME ZONE 'Asia/Ho_Chi_Minh'),
             now() AT TIME ZONE 'Asia/Ho_Chi_Minh', interval '1 month') AS month
     WHERE ${id}::text IS NULL OR to_char(month, 'YYYY-MM') = ${id}`,
}

export type Campaign = {
  campaign: string
  title: string | null
  starts_at: Date
  ends_at: Date | null
  is_started: boolean
}

export async function findCampaign(db: Db | Tx, { kind, id }: CampaignKey): Promise<Campaign | undefined> {
  const { rows } = await sql<Campaign>`SELECT * FROM (${CAMPAIGNS[kind](id)}) AS campaign`.execute(db)
  return rows[0]
}

/** Players are followed for 30 days after the end; a day later no transaction of those is open any more. */
const FOLLOWED_DAYS = RETURN_DAYS + 1

/** The campaigns that have run and were not counted for an hour, those that never were first; as `kind:id`. */
export async function listDueReports(
  db: Db,
  isResting: IsResting,
  { until, limit }: { until: Date; limit: number },
): Promise<string[]> {
  const kinds = Object.keys(CAMPAIGNS) as CampaignKind[]
  const all = kinds.map((kind) => sql`SELECT ${kind} AS kind, one.* FROM (${CAMPAIGNS[kind](null)}) AS one`)
  const { rows } = await sql<{ id: string }>`
    SELECT due.kind || ':' || due.campaign AS id
      FROM (${sql.join(all, sql` UNION ALL `)}) AS due
      LEFT JOIN campaign_report r ON r.kind = due.kind AND r.campaign = due.campaign
     WHERE due.is_started AND due.starts_at < ${until}::timestamptz
       AND due.starts_at < coalesce(due.ends_at, 'infinity')
       AND (r.kind IS NULL
            -- Counted by a clock that was ahead.
            OR r.counted_until > ${until}::timestamptz
            OR (r.counted_until <= ${until}::timestamptz - interval '1 hour'
                AND r.counted_until < coalesce(due.ends_at, 'infinity') + make_interval(days => ${FOLLOWED_DAYS})))
       AND NOT ${isResting(sql`due.kind || ':' || due.campaign`)}
     ORDER BY r.counted_until NULLS FIRST, id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** False while another process counts the same campaign. */
export async function takeCampaign(tx: Tx, { kind, id }: CampaignKey): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`campaign report ${kind}:${id}`}, 0)) AS "isTaken"`.execute(
    tx,
  )
  return rows[0]?.isTaken === true
}

/** A report may take its time; everything else of the portal may not. */
export async function allowLongReports(tx: Tx): Promise<void> {
  await sql`SELECT set_config('statement_timeout', '60s', true)`.execute(tx)
}

/** VND of whole hours, whatever became of them since. */
export async function sumHours(db: Db | Tx, { from, to }: Span): Promise<string> {
  const { rows } = await sql<{ vnd: string }>`
    SELECT coalesce(sum(momo_vnd + vietcombank_vnd + acb_vnd + other_vnd), 0) AS vnd
      FROM statistics_hour WHERE hour >= ${from} AND hour < ${to}`.execute(db)
  return rows[0]?.vnd ?? '0'
}

/** VND credited in a time whose credit was reversed until a moment. */
export async function sumReversed(db: Db | Tx, { from, to }: Span, until: Date): Promise<string> {
  const { rows } = await sql<{ vnd: string }>`
    SELECT coalesce(sum(b.amount), 0) AS vnd
      FROM ledger_transfer back
      JOIN ledger_transfer t ON t.id = back.reverses_id AND t.kind = 'recharge' AND t.source_type = 'bank_transaction'
                            AND t.created_at >= ${from} AND t.created_at < ${to}
      JOIN bank_transaction b ON b.id = split_part(t.source_id, ':', 1)::bigint
     WHERE back.kind = 'reversal' AND back.created_at >= ${from} AND back.created_at < ${until}`.execute(db)
  return rows[0]?.vnd ?? '0'
}

/** What a report adds up of the campaign and its players. */
export const CAMPAIGN_SUMS = [
  'given',
  'taken_back',
  'held',
  'fees',
  'fees_back',
  'brought',
  'brought_back',
  'recharged',
  'recharged_before',
  'players',
  'new_players',
  'first_payers',
  'returned',
  'payers',
  'payers_before',
  'payers_after',
] as const

const SUMS = [...CAMPAIGN_SUMS, 'all_recharged'] as const

type Report = Record<(typeof SUMS)[number], string> & {
  counted_until: Date
  starts_at: Date
  ends_at: Date
  all_recharged_before: string | null
  goods: Good[]
  goods_waiting: Good[]
}

/** As it was counted last. */
export async function findReport(db: Db, { kind, id }: CampaignKey): Promise<Report | undefined> {
  return db
    .selectFrom('campaign_report')
    .select(SUMS)
    .select(['counted_until', 'starts_at', 'ends_at', 'all_recharged_before', 'goods', 'goods_waiting'])
    .where('kind', '=', kind)
    .where('campaign', '=', id)
    .$castTo<Report>()
    .executeTakeFirst()
}

type DayRow = Record<'players' | 'brought' | 'given', string> & { start: Date }

/** Its course by the day, week or month, of those in which something happened. */
export async function listReportDays(
  db: Db,
  { kind, id }: CampaignKey,
  by: StatisticsPeriod,
): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    SELECT date_trunc(${by}, day::timestamp) AT TIME ZONE 'Asia/Ho_Chi_Minh' AS start, sum(players) AS players,
           sum(brought) AS brought, sum(given) AS given
      FROM campaign_report_day WHERE kind = ${kind} AND campaign = ${id}
     GROUP BY 1 ORDER BY 1 LIMIT ${STATISTICS_ROWS_MAX}`.execute(db)
  return rows
}
