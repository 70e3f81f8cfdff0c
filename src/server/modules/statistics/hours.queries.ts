import { type RawBuilder, sql } from 'kysely'
import type { StatisticsPeriod } from '#contract/operator/statistics.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'
import { SLACK_SECONDS } from '#server/platform/values/moments.rules.ts'
import { HOUR_MS, type Span } from './periods.rules.ts'

/** False while another process computes. */
export async function takeTurn(tx: Tx): Promise<boolean> {
  const turn = await tx.selectFrom('statistics_turn').select('id').forUpdate().skipLocked().executeTakeFirst()
  return turn !== undefined
}

/** The newest hour, and when it was computed. */
export async function findLastHour(db: Db | Tx): Promise<{ hour: Date; computed_at: Date } | undefined> {
  return db
    .selectFrom('statistics_hour')
    .select(['hour', 'computed_at'])
    .orderBy('hour', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** As it is written in `failed_work`. */
const hourText = (hour: RawBuilder<unknown>) =>
  sql<string>`to_char(${hour} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:00:00"Z"')`

/** A gap behind the newest hour that is older stays; as many days as a chart can show. */
const GAP_DAYS_MAX = 400

/**
 * Hours until now that were never computed, from the first player or movement of TCoin on, or were computed before so many
 * hours after their end had passed, so that they are not final, or by a clock that was ahead.
 */
export async function listDueHours(
  db: Db,
  isResting: IsResting,
  { now, settleHours, limit }: { now: Date; settleHours: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT ${hourText(sql`due.hour`)} AS id
      FROM generate_series(
             greatest((SELECT max(hour) FROM statistics_hour) - make_interval(days => ${GAP_DAYS_MAX}),
                      date_trunc('hour', least((SELECT created_at FROM users ORDER BY id LIMIT 1),
                                               (SELECT created_at FROM ledger_transfer ORDER BY id LIMIT 1)), 'UTC')),
             ${now}::timestamptz, '1 hour') AS due (hour)
      LEFT JOIN statistics_hour stored ON stored.hour = due.hour
     WHERE (stored.hour IS NULL OR NOT stored.has_parts
            OR stored.computed_at < due.hour + make_interval(hours => 1 + ${settleHours}::integer)
            OR stored.computed_at > ${now}::timestamptz + make_interval(secs => ${SLACK_SECONDS}))
       AND NOT ${isResting(hourText(sql`due.hour`))}
     ORDER BY due.hour LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The id of what caused a transfer, if it is of this kind; behind it stands how often the credit was reversed before. */
const sourceOf = (transfer: 'moved' | 'original', type: 'bank_transaction' | 'order_bonus') => sql`
          CASE ${sql.ref(`${transfer}.source_type`)} WHEN ${sql.lit(type)}
            THEN split_part(${sql.ref(`${transfer}.source_id`)}, ':', 1)::bigint END`

/** The movements of a time, and the VND behind its recharges, whatever became of those since. */
const moved = ({ from, to }: Span) => sql`
    moved AS MATERIALIZED (
      SELECT t.*, d.kind AS debit_kind, c.kind AS credit_kind
        FROM ledger_transfer t
        JOIN ledger_account d ON d.id = t.debit_account
        JOIN ledger_account c ON c.id = t.credit_account
       WHERE t.created_at >= ${from} AND t.created_at < ${to}
         -- Between two rows of one account nothing moves.
         AND t.source_type <> 'stripe'),
    credited AS MATERIALIZED (
      SELECT moved.id, moved.credit_account, b.amount AS vnd, b.order_id
        FROM moved
        -- Not by the transfer that it names now: one that was reversed names none, or the next.
        JOIN bank_transaction b ON b.id = ${sourceOf('moved', 'bank_transaction')}
       WHERE moved.kind = 'recharge')`

/**
 * The figures of a time of at most an hour, from its rows, which are found by their time. Deliveries and bank transfers are
 * those that the ledger's transfers of the time settle or credit: money counts when it is credited, and once more, as money
 * back, when its credit is reversed.
 */
const figuresOf = (span: Span) => sql`
    WITH ${moved(span)},
    coins AS (
      SELECT coalesce(sum(amount) FILTER (WHERE debit_kind IN ('house_recharge', 'promotion', 'promotion_hold', 'budget', 'adjustment',
                                                                     'house_gift')
                                            AND credit_kind = 'user_wallet'), 0) AS issued,
             coalesce(sum(amount) FILTER (WHERE credit_kind IN ('house_revenue', 'house_gift')), 0) AS spent,
             coalesce(sum(amount) FILTER (WHERE kind IN ('exchange_refund', 'gift_refund')), 0) AS refunded,
             coalesce(sum(amount) FILTER (WHERE credit_kind = 'user_wallet'), 0)
               - coalesce(sum(amount) FILTER (WHERE debit_kind = 'user_wallet'), 0) AS wallets_change,
             coalesce(sum(amount) FILTER (WHERE credit_kind = 'delivery_hold'), 0)
               - coalesce(sum(amount) FILTER (WHERE debit_kind = 'delivery_hold'), 0) AS held_change,
             coalesce(sum(amount) FILTER (WHERE debit_kind = 'receivable'), 0)
               - coalesce(sum(amount) FILTER (WHERE credit_kind = 'receivable'), 0) AS debts_change,
             count(*) FILTER (WHERE kind IN ('exchange_settle', 'gift_settle')) AS deliveries
        FROM moved),
    money AS (
      SELECT coalesce(sum(vnd) FILTER (WHERE o.channel = 1), 0) AS momo_vnd,
             coalesce(sum(vnd) FILTER (WHERE o.channel = 2), 0) AS vietcombank_vnd,
             coalesce(sum(vnd) FILTER (WHERE o.channel = 3), 0) AS acb_vnd,
             coalesce(sum(vnd) FILTER (WHERE o.channel IS NULL), 0) AS other_vnd
        FROM credited LEFT JOIN payment_order o ON o.id = credited.order_id),
    back AS (
      SELECT coalesce(sum(b.amount), 0) AS money_back_vnd
        FROM moved
        JOIN ledger_transfer original ON original.id = moved.reverses_id AND original.kind = 'recharge'
        JOIN bank_transaction b ON b.id = ${sourceOf('original', 'bank_transaction')}),
    goods AS (
      SELECT coalesce(sum((good->>'quantity')::bigint), 0) AS luong
        FROM moved
        JOIN delivery ON delivery.id = CASE moved.source_type WHEN 'delivery' THEN moved.source_id::uuid END,
             jsonb_array_elements(delivery.goods) AS good
       WHERE moved.kind IN ('exchange_settle', 'gift_settle') AND good->>'kind' = 'luong'),
    players AS (
      SELECT (SELECT count(*) FROM users
               WHERE created_at >= ${span.from} AND created_at < ${span.to}) AS new_players,
             (SELECT count(*) FROM moved
               WHERE kind = 'recharge' AND credit_kind = 'user_wallet'
                 AND id = (SELECT e.transfer_id FROM ledger_entry e
                            WHERE e.account_id = moved.credit_account AND e.kind = 'recharge'
                              AND e.account_id < 9000000000000000
                            ORDER BY e.account_version LIMIT 1)) AS first_recharges)
    SELECT * FROM coins, money, back, goods, players`

const FIGURES = [
  'issued',
  'spent',
  'refunded',
  'wallets_change',
  'held_change',
  'debts_change',
  'deliveries',
  'momo_vnd',
  'vietcombank_vnd',
  'acb_vnd',
  'other_vnd',
  'money_back_vnd',
  'luong',
  'new_players',
  'first_recharges',
] as const

type HourFigures = Record<(typeof FIGURES)[number], string>

/** The figures of a part of an hour, which are not stored. */
export async function readFiguresOf(db: Db, span: Span): Promise<HourFigures> {
  const { rows } = await figuresOf(span).execute(db)
  return rows[0] as HourFigures
}

const hourFrom = (hour: Date): Span => ({ from: hour, to: new Date(hour.getTime() + HOUR_MS) })

/** Computes one hour and stores it. */
export async function storeHour(tx: Tx, hour: Date, now: Date): Promise<void> {
  const names = sql.join(FIGURES.map((name) => sql.ref(name)))
  const excluded = sql.join(FIGURES.map((name) => sql.ref(`excluded.${name}`)))
  await sql`
    INSERT INTO statistics_hour (hour, computed_at, has_parts, ${names})
    SELECT ${hour}, ${now}, true, ${names} FROM (${figuresOf(hourFrom(hour))}) AS figures
    ON CONFLICT (hour) DO UPDATE SET (computed_at, has_parts, ${names}) =
      (excluded.computed_at, excluded.has_parts, ${excluded})`.execute(tx)
}

/**
 * Stores what the figures of an hour consist of: TCoin spent by kind of purchase and by server, and VND by the promotion
 * that came with it. What belongs to none is not stored: it is the rest of the whole.
 */
export async function storeParts(tx: Tx, hour: Date): Promise<void> {
  await tx.deleteFrom('statistics_part').where('hour', '=', hour).execute()
  await sql`
    WITH ${moved(hourFrom(hour))},
    spent AS (
      SELECT moved.amount, delivery.server_id,
             CASE moved.kind WHEN 'exchange_settle' THEN 'exchange' WHEN 'gift_settle' THEN 'gift'
                             WHEN 'activation' THEN 'activation' END AS kind
        FROM moved
        LEFT JOIN delivery ON delivery.id = CASE moved.source_type WHEN 'delivery' THEN moved.source_id::uuid END
       WHERE moved.credit_kind IN ('house_revenue', 'house_gift')),
    parts AS (
      SELECT 'kind' AS dimension, kind AS part, amount FROM spent
       UNION ALL
      SELECT 'server', server_id, amount FROM spent
       UNION ALL
      SELECT 'promotion', bonus.promotion_id::text, credited.vnd
        FROM moved
        JOIN order_bonus bonus ON bonus.id = ${sourceOf('moved', 'order_bonus')}
        JOIN credited ON credited.order_id = bonus.order_id
       WHERE moved.kind = 'bonus')
    INSERT INTO statistics_part (hour, dimension, part, amount)
    SELECT ${hour}, dimension, part, sum(amount) FROM parts WHERE part IS NOT NULL GROUP BY dimension, part`.execute(
    tx,
  )
}

/** Who paid in a time of at most an hour: how much, the day of the payment before, and the week of the first one. */
const payersOf = (span: Span) => sql`
    WITH ${moved(span)},
    paid AS (
      SELECT credit_account, sum(vnd) AS vnd FROM credited GROUP BY credit_account)
    SELECT paid.vnd, coalesce(before.day, '-infinity') AS previous_day,
           date_trunc('week', vietnam_day(first.created_at)::timestamp)::date AS first_week
      FROM paid
      CROSS JOIN LATERAL (
        SELECT e.created_at FROM ledger_entry e
         WHERE e.account_id = paid.credit_account AND e.account_id < 9000000000000000 AND e.kind = 'recharge'
         ORDER BY e.account_version LIMIT 1) AS first
      LEFT JOIN LATERAL (
        SELECT vietnam_day(e.created_at) AS day FROM ledger_entry e
         WHERE e.account_id = paid.credit_account AND e.account_id < 9000000000000000 AND e.kind = 'recharge'
           AND e.created_at < ${span.from}
         ORDER BY e.account_version DESC LIMIT 1) AS before ON true`

/**
 * Stores how many players paid in an hour and how much, by the day on which each had paid before and the week in which each
 * paid first. The players of several hours from the beginning of a day on are then those who had not paid since: each of
 * them counts once.
 */
export async function storePayers(tx: Tx, hour: Date): Promise<void> {
  await tx.deleteFrom('statistics_payer').where('hour', '=', hour).execute()
  await sql`
    INSERT INTO statistics_payer (hour, previous_day, first_week, payers, vnd)
    SELECT ${hour}, previous_day, first_week, count(*), sum(vnd)
      FROM (${payersOf(hourFrom(hour))}) AS payers GROUP BY previous_day, first_week`.execute(tx)
}

/** How many of those who paid in a part of an hour, which is not stored, had not paid since a day began. */
export async function countPayersOf(db: Db, span: Span, since: Date): Promise<string> {
  const { rows } = await sql<{ payers: string }>`
    SELECT count(*) AS payers FROM (${payersOf(span)}) AS payers WHERE previous_day < vietnam_day(${since})`.execute(
    db,
  )
  return rows[0]?.payers ?? '0'
}

/** Stores how long the oldest undecided money has waited by now, if that is the longest in this hour. */
export async function storeUnmatchedAge(
  tx: Tx,
  hour: Date,
  { now, since }: { now: Date; since: Date | undefined },
): Promise<void> {
  const seconds = since === undefined ? 0 : Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000))
  await tx
    .updateTable('statistics_hour')
    .set({ unmatched_age_s: sql<string>`greatest(unmatched_age_s, ${seconds}::bigint)` })
    .where('hour', '=', hour)
    .execute()
}

/** Who signed in or moved TCoin in a time of at most an hour. */
export const activeIn = ({ from, to }: Span) => sql`
      SELECT user_id FROM sign_in WHERE at >= ${from} AND at < ${to} AND outcome = 'succeeded'
       UNION
      SELECT actor_user_id FROM ledger_transfer
       WHERE created_at >= ${from} AND created_at < ${to} AND actor_user_id IS NOT NULL`

/** Adds those who signed in or moved TCoin in an hour to a period that it lies in, and counts whom it did not have yet. */
export async function storeActive(
  tx: Tx,
  hour: Date,
  { period, start }: { period: StatisticsPeriod; start: Date },
): Promise<void> {
  await sql`
    WITH present AS (${activeIn(hourFrom(hour))}),
    added AS (
      INSERT INTO statistics_active_player (period, start, user_id)
      SELECT ${period}, ${start}, user_id FROM present
      ON CONFLICT DO NOTHING RETURNING 1)
    INSERT INTO statistics_active (period, start, players)
    SELECT ${period}, ${start}, count(*) FROM added HAVING count(*) > 0
    ON CONFLICT (period, start) DO UPDATE SET players = statistics_active.players + EXCLUDED.players`.execute(
    tx,
  )
}
