import { type RawBuilder, sql } from 'kysely'
import type { StatisticsPeriod } from '#contract/operator/statistics.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { SLACK_SECONDS } from '#server/platform/values/moments.rules.ts'
import type { Span } from './periods.rules.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

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

/** A gap behind the newest hour that is older stays. */
const GAP_DAYS_MAX = 90

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
     WHERE (stored.hour IS NULL
            OR stored.computed_at < due.hour + make_interval(hours => 1 + ${settleHours}::integer)
            OR stored.computed_at > ${now}::timestamptz + make_interval(secs => ${SLACK_SECONDS}))
       AND NOT ${isResting(hourText(sql`due.hour`))}
     ORDER BY due.hour LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Computes one hour from the rows of that hour, which are found by their time, and stores it. Deliveries and bank transfers
 * are those that the ledger's transfers of the hour settle or credit: money counts when it is credited.
 */
export async function storeHour(tx: Tx, hour: Date, now: Date): Promise<void> {
  await sql`
    WITH moved AS MATERIALIZED (
      SELECT t.*, d.kind AS debit_kind, c.kind AS credit_kind
        FROM ledger_transfer t
        JOIN ledger_account d ON d.id = t.debit_account
        JOIN ledger_account c ON c.id = t.credit_account
       WHERE t.created_at >= ${hour} AND t.created_at < ${hour}::timestamptz + interval '1 hour'
         -- Between two rows of one account nothing moves.
         AND t.source_type <> 'stripe'),
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
               - coalesce(sum(amount) FILTER (WHERE credit_kind = 'receivable'), 0) AS debts_change
        FROM moved),
    money AS (
      SELECT coalesce(sum(b.amount) FILTER (WHERE o.channel = 1), 0) AS momo_vnd,
             coalesce(sum(b.amount) FILTER (WHERE o.channel = 2), 0) AS vietcombank_vnd,
             coalesce(sum(b.amount) FILTER (WHERE o.channel = 3), 0) AS acb_vnd,
             coalesce(sum(b.amount) FILTER (WHERE o.channel IS NULL), 0) AS other_vnd
        FROM moved
        JOIN bank_transaction b ON b.transfer_id = moved.id
        LEFT JOIN payment_order o ON o.id = b.order_id
       WHERE moved.kind = 'recharge'),
    goods AS (
      SELECT coalesce(sum((good->>'quantity')::bigint), 0) AS luong
        FROM moved
        JOIN delivery ON delivery.id = CASE moved.source_type WHEN 'delivery' THEN moved.source_id::uuid END,
             jsonb_array_elements(delivery.goods) AS good
       WHERE moved.kind IN ('exchange_settle', 'gift_settle') AND good->>'kind' = 'luong'),
    players AS (
      SELECT (SELECT count(*) FROM users
               WHERE created_at >= ${hour} AND created_at < ${hour}::timestamptz + interval '1 hour') AS new_players,
             (SELECT count(*) FROM moved
               WHERE kind = 'recharge' AND credit_kind = 'user_wallet'
                 AND id = (SELECT e.transfer_id FROM ledger_entry e
                            WHERE e.account_id = moved.credit_account AND e.kind = 'recharge'
                              AND e.account_id < 9000000000000000
                            ORDER BY e.account_version LIMIT 1)) AS first_recharges)
    INSERT INTO statistics_hour (hour, issued, spent, refunded, wallets_change, held_change, debts_change,
                                 momo_vnd, vietcombank_vnd, acb_vnd, other_vnd, luong, new_players, first_recharges,
                                 computed_at)
    SELECT ${hour}, coins.*, money.*, goods.*, players.*, ${now} FROM coins, money, goods, players
    ON CONFLICT (hour) DO UPDATE SET (issued, spent, refunded, wallets_change, held_change, debts_change,
        momo_vnd, vietcombank_vnd, acb_vnd, other_vnd, luong, new_players, first_recharges, computed_at) =
      (EXCLUDED.issued, EXCLUDED.spent, EXCLUDED.refunded, EXCLUDED.wallets_change, EXCLUDED.held_change,
       EXCLUDED.debts_change, EXCLUDED.momo_vnd, EXCLUDED.vietcombank_vnd, EXCLUDED.acb_vnd, EXCLUDED.other_vnd,
       EXCLUDED.luong, EXCLUDED.new_players, EXCLUDED.first_recharges, EXCLUDED.computed_at)`.execute(tx)
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

/** Adds those who signed in or moved TCoin in an hour to a period that it lies in, and counts whom it did not have yet. */
export async function storeActive(
  tx: Tx,
  hour: Date,
  { period, start }: { period: StatisticsPeriod; start: Date },
): Promise<void> {
  await sql`
    WITH present AS (
      SELECT user_id FROM sign_in
       WHERE at >= ${hour} AND at < ${hour}::timestamptz + interval '1 hour' AND outcome = 'succeeded'
       UNION
      SELECT actor_user_id FROM ledger_transfer
       WHERE created_at >= ${hour} AND created_at < ${hour}::timestamptz + interval '1 hour' AND actor_user_id IS NOT NULL),
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
  | 'active_players',
  string
>

export type PeriodRow = Figures & { start: Date; unmatched_age_s: string | null }

/** The figures of the given periods, each ending where the next begins; balances are what all hours until then add up to. */
export async function listPeriods(
  db: Db,
  period: StatisticsPeriod,
  { starts, end }: { starts: readonly Date[]; end: Date },
): Promise<PeriodRow[]> {
  const { rows } = await sql<PeriodRow>`
    WITH periods AS (
      SELECT start, lead(start, 1, ${end}::timestamptz) OVER (ORDER BY start) AS next
        FROM unnest(${[...starts]}::timestamptz[]) AS start),
    sums AS (
      SELECT p.start, sum(issued) AS issued, sum(spent) AS spent, sum(refunded) AS refunded,
             sum(wallets_change) AS wallets, sum(held_change) AS held, sum(debts_change) AS debts,
             sum(momo_vnd) AS momo_vnd, sum(vietcombank_vnd) AS vietcombank_vnd, sum(acb_vnd) AS acb_vnd,
             sum(other_vnd) AS other_vnd, sum(luong) AS luong, sum(new_players) AS new_players,
             sum(first_recharges) AS first_recharges, max(unmatched_age_s) AS unmatched_age_s
        FROM periods p LEFT JOIN statistics_hour h ON h.hour >= p.start AND h.hour < p.next
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
           coalesce(a.players, 0) AS active_players, s.unmatched_age_s
      FROM sums s CROSS JOIN before
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
  | 'first_recharges',
  string
>

/** What the hours of a time add up to; balances are what all hours until its end do. */
export async function sumSpan(db: Db, { from, to }: Span): Promise<SpanRow> {
  const { rows } = await sql<SpanRow>`
    WITH span AS (
      SELECT coalesce(sum(momo_vnd + vietcombank_vnd + acb_vnd + other_vnd), 0) AS money_in_total,
             coalesce(sum(issued), 0) AS issued, coalesce(sum(spent), 0) AS spent,
             coalesce(sum(refunded), 0) AS refunded, coalesce(sum(luong), 0) AS luong,
             coalesce(sum(new_players), 0) AS new_players, coalesce(sum(first_recharges), 0) AS first_recharges
        FROM statistics_hour WHERE hour >= ${from} AND hour < ${to}),
    balances AS (
      SELECT coalesce(sum(wallets_change), 0) AS in_wallets, coalesce(sum(held_change), 0) AS held,
             coalesce(sum(debts_change), 0) AS debts
        FROM statistics_hour WHERE hour < ${to})
    SELECT span.*, balances.* FROM span CROSS JOIN balances`.execute(db)
  return rows[0] as SpanRow
}

/** How many were active in the hours of a time that is at most a day. */
export async function countActive(db: Db, { from, to }: Span): Promise<number> {
  const { players } = await db
    .selectFrom('statistics_active_player')
    .select(sql<string>`count(DISTINCT user_id)`.as('players'))
    .where('period', '=', 'hour')
    .where('start', '>=', from)
    .where('start', '<', to)
    .executeTakeFirstOrThrow()
  return Number(players)
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

type Oldest = { unmatched: number; undecided: number; delivery: number }

/** In seconds; 0 where nothing waits. Each is the first row of an index. */
export async function readOldest(db: Db): Promise<Oldest> {
  const { rows } = await sql<Oldest>`
    SELECT coalesce(extract(epoch FROM now() - (
             SELECT created_at FROM bank_transaction WHERE state = 'review' ORDER BY created_at LIMIT 1)), 0)::float8 AS unmatched,
           coalesce(extract(epoch FROM now() - (
             SELECT received_at FROM payment_event WHERE status = 'new' ORDER BY received_at LIMIT 1)), 0)::float8 AS undecided,
           coalesce(extract(epoch FROM now() - (
             SELECT created_at FROM delivery WHERE state NOT IN ('delivered', 'refunded') AND state <> 'parked'
              ORDER BY created_at LIMIT 1)), 0)::float8 AS delivery`.execute(db)
  return rows[0] as Oldest
}

export type Counted = { state: string; count: number }

export async function countOpenDeliveries(db: Db): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT state, count(*)::integer AS count
      FROM (SELECT state FROM delivery WHERE state NOT IN ('delivered', 'refunded') ORDER BY created_at LIMIT ${COUNT_MAX}) AS open
     GROUP BY state`.execute(db)
  return rows
}

export async function countOpenOrders(db: Db): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT counted.state,
           (SELECT count(*) FROM (SELECT 1 FROM payment_order WHERE status = counted.state ORDER BY id LIMIT ${COUNT_MAX}) AS open)::integer AS count
      FROM (VALUES ('pending'), ('review')) AS counted (state)`.execute(db)
  return rows
}

/** In the order of an index, so that no more than what is counted is read. */
export async function countMails(db: Db): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT CASE WHEN last_error IS NULL THEN 'waiting' ELSE 'failed' END AS state, count(*)::integer AS count
      FROM (SELECT last_error FROM mail_outbox ORDER BY next_attempt_at LIMIT ${COUNT_MAX}) AS queued
     GROUP BY 1`.execute(db)
  return rows
}

/** The portal's own accounts have the highest ids; there are a few. */
const OWN_ACCOUNTS_FROM = '9000000000000000'

export async function listOwnBalances(db: Db): Promise<{ kind: string; balance: string }[]> {
  const { rows } = await sql<{ kind: string; balance: string }>`
    SELECT kind, sum(balance) AS balance FROM ledger_account WHERE id >= ${OWN_ACCOUNTS_FROM}::bigint GROUP BY kind`.execute(
    db,
  )
  return rows
}

type LastChecks = {
  found: number | null
  finished: number
  closeDue: number
  closedDay: number | null
  green: number
  red: number
  notCompared: number
  empty: number
}

/** What the last reconciliation found, when the next nightly close is due, and how the closes of the last closed day ended. */
export async function readLastChecks(db: Db): Promise<LastChecks> {
  const { rows } = await sql<LastChecks>`
    SELECT run.found::float8 AS found,
           extract(epoch FROM coalesce(run.finished_at, (SELECT min(applied_at) FROM schema_migration)))::float8 AS finished,
           (SELECT extract(epoch FROM due_at)::float8 FROM reconciliation_task WHERE name = 'nightly') AS "closeDue",
           extract(epoch FROM last.day)::float8 AS "closedDay",
           (SELECT count(*) FROM daily_close WHERE is_latest AND day = last.day AND outcome = 'green')::integer AS green,
           (SELECT count(*) FROM daily_close WHERE is_latest AND day = last.day AND outcome = 'red')::integer AS red,
           (SELECT count(*) FROM daily_close
             WHERE is_latest AND day = last.day AND outcome = 'not-compared' AND NOT is_empty)::integer
             AS "notCompared",
           (SELECT count(*) FROM daily_close WHERE is_latest AND day = last.day AND is_empty)::integer AS empty
      FROM (SELECT 1) AS one
      LEFT JOIN (SELECT found, finished_at FROM reconciliation_run
                  WHERE found IS NOT NULL ORDER BY id DESC LIMIT 1) AS run ON true
      LEFT JOIN (SELECT day FROM daily_close WHERE is_latest ORDER BY day DESC, id DESC LIMIT 1) AS last ON true`.execute(
    db,
  )
  return rows[0] as LastChecks
}
