import { sql } from 'kysely'
import { STATISTICS_PARTS_MAX, type StatisticsDimension } from '#contract/operator/statistics.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Span } from './periods.rules.ts'

type PartRow = { id: string | null; name: string | null; total: string; amounts: string[] }

/** The amounts by the hour, as parts of each dimension; those of no part have none. */
const amountsOf = (dimension: StatisticsDimension, { from, to }: Span) =>
  dimension === 'channel'
    ? sql`
      SELECT hour, split.part, split.amount
        FROM statistics_hour,
             LATERAL (VALUES ('momo', momo_vnd), ('vietcombank', vietcombank_vnd), ('acb', acb_vnd), (NULL, other_vnd))
               AS split (part, amount)
       WHERE hour >= ${from} AND hour < ${to} AND split.amount > 0`
    : sql`
      SELECT hour, part, amount FROM statistics_part
       WHERE dimension = ${dimension} AND hour >= ${from} AND hour < ${to}
       UNION ALL
      SELECT h.hour, NULL, h.whole - coalesce(sum(p.amount), 0)
        FROM (SELECT hour, ${dimension === 'promotion' ? sql`momo_vnd + vietcombank_vnd + acb_vnd + other_vnd` : sql`spent`} AS whole
                FROM statistics_hour WHERE hour >= ${from} AND hour < ${to}) AS h
        LEFT JOIN statistics_part p ON p.dimension = ${dimension} AND p.hour = h.hour
       GROUP BY h.hour, h.whole`

/**
 * The largest parts of a time, each with its amount in every period, and last, without an id, what belongs to no part or to
 * a smaller one.
 */
export async function listParts(
  db: Db,
  dimension: StatisticsDimension,
  { starts, end }: { starts: readonly Date[]; end: Date },
): Promise<PartRow[]> {
  const span = { from: starts[0] as Date, to: end }
  const { rows } = await sql<PartRow>`
    WITH periods AS (
      SELECT start, lead(start, 1, ${end}::timestamptz) OVER (ORDER BY start) AS next
        FROM unnest(${[...starts]}::timestamptz[]) AS start),
    amounts AS MATERIALIZED (${amountsOf(dimension, span)}),
    ranked AS (
      SELECT part, row_number() OVER (ORDER BY sum(amount) DESC, part) AS place
        FROM amounts WHERE part IS NOT NULL GROUP BY part),
    shown AS (
      SELECT part, place FROM ranked WHERE place <= ${STATISTICS_PARTS_MAX} UNION ALL SELECT NULL, NULL),
    summed AS (
      SELECT ranked.place, p.start, sum(a.amount) AS amount
        FROM amounts a
        JOIN periods p ON a.hour >= p.start AND a.hour < p.next
        LEFT JOIN ranked ON ranked.part = a.part AND ranked.place <= ${STATISTICS_PARTS_MAX}
       GROUP BY ranked.place, p.start)
    SELECT shown.part AS id,
           CASE ${dimension}::text WHEN 'promotion' THEN (SELECT title FROM promotion WHERE id::text = shown.part)
                                   WHEN 'server' THEN (SELECT name FROM servers WHERE id = shown.part) END AS name,
           coalesce(sum(summed.amount), 0) AS total,
           array_agg(coalesce(summed.amount, 0)::text ORDER BY p.start) AS amounts
      FROM shown
      CROSS JOIN periods p
      LEFT JOIN summed ON summed.place IS NOT DISTINCT FROM shown.place AND summed.start = p.start
     GROUP BY shown.place, shown.part
     ORDER BY shown.place NULLS LAST`.execute(db)
  return rows
}

/** What each part comes to in some hours; null for what belongs to none. */
export async function sumParts(
  db: Db,
  dimension: StatisticsDimension,
  span: Span,
): Promise<Map<string | null, string>> {
  const { rows } = await sql<{ part: string | null; total: string }>`
    SELECT part, sum(amount) AS total FROM (${amountsOf(dimension, span)}) AS amounts GROUP BY part`.execute(
    db,
  )
  return new Map(rows.map(({ part, total }) => [part, total]))
}

type WeekHour = { weekday: number; hour: number; money_in: string }

/** VND credited in a time by weekday (1: Monday) and hour in Vietnam. */
export async function sumWeekHours(db: Db, { from, to }: Span): Promise<WeekHour[]> {
  const { rows } = await sql<WeekHour>`
    SELECT extract(isodow FROM local)::integer AS weekday, extract(hour FROM local)::integer AS hour,
           sum(momo_vnd + vietcombank_vnd + acb_vnd + other_vnd) AS money_in
      FROM statistics_hour, LATERAL (SELECT hour AT TIME ZONE 'Asia/Ho_Chi_Minh' AS local) AS clock
     WHERE statistics_hour.hour >= ${from} AND statistics_hour.hour < ${to}
     GROUP BY 1, 2`.execute(db)
  return rows
}

type CohortRow = { first_week: string; week: string; payers: string; vnd: string }

/** Who paid in each week of a time, by the week of their first payment in it. */
export async function listCohorts(db: Db, { from, to }: Span): Promise<CohortRow[]> {
  const { rows } = await sql<CohortRow>`
    SELECT first_week::text, week::text,
           coalesce(sum(payers) FILTER (WHERE previous_day < week), 0) AS payers, sum(vnd) AS vnd
      FROM statistics_payer,
           LATERAL (SELECT date_trunc('week', hour AT TIME ZONE 'Asia/Ho_Chi_Minh')::date AS week) AS clock
     WHERE hour >= ${from} AND hour < ${to} AND first_week >= vietnam_day(${from})
     GROUP BY 1, 2 ORDER BY 1, 2`.execute(db)
  return rows
}
