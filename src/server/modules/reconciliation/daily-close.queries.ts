import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import {
  type CloseFigures,
  closeFiguresSchema,
  type CloseStatus,
  type OperatorDailyClose,
  type operatorDailyCloses,
} from '#contract/operator/daily-closes.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { type CloseDoubts, type Day, dayBounds, type MadeClose } from './daily-close.rules.ts'

export type AccountDay = { accountNumber: string; figures: CloseFigures; doubts: CloseDoubts }

type FigureColumns = Record<keyof CloseFigures, string | null>

const FIGURE_NAMES = Object.keys(closeFiguresSchema.shape) as (keyof CloseFigures)[]

/** The figures of a close, whether they were just summed up or had been stored. */
function figuresOf(row: FigureColumns): CloseFigures {
  const figures = FIGURE_NAMES.map((name) => [name, row[name] === null ? null : parseCoins(row[name])])
  return Object.fromEntries(figures) as CloseFigures
}

type FiguresRow = FigureColumns & { account_number: string; unreadable: string; without_reason: string }

type Bounds = ReturnType<typeof dayBounds>

/** The day's transfers, each with its payment event, order and credit. */
export const dayTransfers = ({ since, until }: Bounds) => sql`transfer AS MATERIALIZED (
      SELECT b.id, b.account_number, b.direction, b.amount, b.state, b.reason, b.credited, b.order_id,
             report.is_reported IS TRUE AS is_reported,
             o.code, l.amount AS posted,
             -- Without an order the rate was that of the day: what it brought has to be a multiple of what arrived.
             CASE WHEN b.state = 'credited' THEN
               CASE WHEN b.order_id IS NOT NULL THEN b.amount * o.rate WHEN b.credited % b.amount = 0 THEN b.credited
                    ELSE b.amount END END AS due,
             o.credited = (SELECT sum(s.credited) FROM bank_transaction s
                            WHERE s.order_id = o.id AND s.state = 'credited') AS is_order_right
        FROM bank_transaction b
        -- One index lookup for each row: with plain joins PostgreSQL would read all events, orders and credits ever
        -- stored for a busy day.
        LEFT JOIN LATERAL (SELECT true AS is_reported FROM payment_event e
                            WHERE e.bank_transaction_id = b.id AND e.amount = b.amount AND e.direction = b.direction
                              AND e.status <> 'stale' LIMIT 1) report ON true
        LEFT JOIN LATERAL (SELECT id, code, rate, credited FROM payment_order
                            WHERE id = b.order_id LIMIT 1) o ON true
        LEFT JOIN LATERAL (SELECT amount FROM ledger_transfer
                            WHERE id = b.transfer_id AND kind = 'recharge' AND source_type = 'bank_transaction'
                              AND split_part(source_id, ':', 1) = b.id::text LIMIT 1) l ON true
       WHERE coalesce(b.booked_at, b.created_at) >= ${since} AND coalesce(b.booked_at, b.created_at) < ${until})`

/** Their sums by account. */
const moved = sql`moved AS (
      SELECT account_number,
             count(*) FILTER (WHERE direction = 'in') AS arrived_count,
             sum(amount) FILTER (WHERE direction = 'in') AS arrived_vnd,
             sum(amount) FILTER (WHERE direction = 'in' AND is_reported) AS told_vnd,
             sum(amount) FILTER (WHERE direction = 'out') AS left_vnd,
             sum(amount) FILTER (WHERE direction = 'in' AND state = 'credited') AS credited_vnd,
             sum(amount) FILTER (WHERE direction = 'in' AND state = 'review') AS review_vnd,
             sum(amount) FILTER (WHERE direction = 'in' AND state = 'refunded') AS refunded_vnd,
             sum(amount) FILTER (WHERE direction = 'in' AND state = 'ignored') AS ignored_vnd,
             sum(due) AS due_coins,
             sum(posted) FILTER (WHERE state = 'credited') AS ledger_coins,
             sum(credited) FILTER (WHERE state = 'credited' AND is_order_right) AS order_coins,
             sum(credited) FILTER (WHERE state = 'credited' AND order_id IS NULL) AS direct_coins,
             count(*) FILTER (WHERE state = 'ignored' AND reason IS NULL) AS without_reason
        FROM transfer GROUP BY account_number)`

/** Events of the day that nothing has been decided about, or that contradict what was. */
export const openEvents = ({ since, until }: Bounds) => sql`open_event AS (
      SELECT e.id, e.account_number, e.direction, e.amount, e.bank_transaction_id
        FROM payment_event e
       WHERE coalesce(e.booked_at, e.received_at) >= ${since} AND coalesce(e.booked_at, e.received_at) < ${until}
         AND (e.status = 'new' OR (e.status = 'review'
                AND (e.bank_transaction_id IS NULL OR e.reason = 'reference-conflict'))
              -- A notification that came too late is settled once its like has come in time or was asked for.
              OR (e.status = 'stale' AND NOT EXISTS (
                    SELECT FROM payment_event fresh
                     WHERE fresh.provider = e.provider
                       AND fresh.provider_event_id = regexp_replace(e.provider_event_id, '#stale$', '')
                       AND fresh.status <> 'stale'))))`

/**
 * Every account that has to be closed, or on which something moved, with its figures of the day: one statement, so one
 * picture. Where two providers list an account, the list with the higher sums is the statement: the account may not be
 * connected to the other. Of two with equal sums it is the one with more unreadable rows.
 */
export async function selectAccountDays(
  db: Db | Tx,
  { day, accountNumbers }: { day: Day; accountNumbers: readonly string[] },
): Promise<AccountDay[]> {
  const bounds = dayBounds(day)
  const { rows } = await sql<FiguresRow>`
    WITH ${dayTransfers(bounds)},
    ${moved},
    ${openEvents(bounds)},
    open AS (SELECT account_number, count(*) AS open_events FROM open_event GROUP BY account_number),
    statement AS (
      SELECT DISTINCT ON (account_number) account_number, in_count, in_vnd, out_vnd, unreadable
        FROM bank_statement_day
       -- Read before the day was over, it is a part of the list.
       WHERE day = ${day}::date AND read_at >= ${bounds.until} AND account_number = ANY (${accountNumbers}::text[])
       ORDER BY account_number, in_vnd DESC, out_vnd DESC, unreadable DESC, provider),
    account AS (
      SELECT unnest(${accountNumbers}::text[]) AS account_number
       UNION SELECT account_number FROM moved UNION SELECT account_number FROM open)
    SELECT account_number,
           statement.in_count AS bank_in_count, statement.in_vnd AS bank_in_vnd, statement.out_vnd AS bank_out_vnd,
           coalesce(statement.unreadable, 0) AS unreadable,
           coalesce(arrived_count, 0) AS arrived_count, coalesce(arrived_vnd, 0) AS arrived_vnd,
           coalesce(told_vnd, 0) AS told_vnd, coalesce(left_vnd, 0) AS left_vnd,
           coalesce(credited_vnd, 0) AS credited_vnd, coalesce(review_vnd, 0) AS review_vnd,
           coalesce(refunded_vnd, 0) AS refunded_vnd, coalesce(ignored_vnd, 0) AS ignored_vnd,
           coalesce(due_coins, 0) AS due_coins, coalesce(ledger_coins, 0) AS ledger_coins,
           coalesce(order_coins, 0) AS order_coins, coalesce(direct_coins, 0) AS direct_coins,
           coalesce(without_reason, 0) AS without_reason, coalesce(open_events, 0) AS open_events
      FROM account LEFT JOIN moved USING (account_number) LEFT JOIN open USING (account_number)
      LEFT JOIN statement USING (account_number)
     ORDER BY account_number`.execute(db)
  return rows.map((row) => ({
    accountNumber: row.account_number,
    figures: figuresOf(row),
    doubts: { unreadableRows: parseCoins(row.unreadable), withoutReason: parseCoins(row.without_reason) },
  }))
}

/** Days that are over and changed since, the oldest first. */
export async function listDueDays(db: Db, { before, limit }: { before: Day; limit: number }): Promise<Day[]> {
  const rows = await db
    .selectFrom('daily_close_due')
    .select(sql<Day>`to_char(day, 'YYYY-MM-DD')`.as('text'))
    .where('day', '<', sql<Date>`${before}::date`)
    .groupBy('day')
    .orderBy('day')
    .limit(limit)
    .execute()
  return rows.map((row) => row.text)
}

export async function markDueDay(db: Db, day: Day): Promise<void> {
  await db
    .insertInto('daily_close_due')
    .values({ day: sql<Date>`${day}::date` })
    .execute()
}

/** Only what was committed by now is gone; what changes meanwhile makes the day due again. */
export async function forgetDueDay(tx: Tx, day: Day): Promise<void> {
  await tx
    .deleteFrom('daily_close_due')
    .where('day', '=', sql<Date>`${day}::date`)
    .execute()
}

/** Whoever makes a close takes turns: two of one day would both be the latest. */
export async function takeTurnToClose(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('daily_close'))`.execute(tx)
}

const closes = (db: Db | Tx) =>
  db
    .selectFrom('daily_close')
    .selectAll()
    .select(sql<Day>`to_char(day, 'YYYY-MM-DD')`.as('day_text'))
    .$narrowType<{ outcome: CloseStatus }>()
    .where('is_latest', '=', true)

type StoredClose = OperatorDailyClose & { latest_id: string }

/** One close with the one that stands in its place, which may be itself. */
export async function findCloseById(db: Db | Tx, id: string): Promise<StoredClose | undefined> {
  const row = await db
    .selectFrom('daily_close as close')
    .innerJoin('daily_close as latest', (join) =>
      join
        .onRef('latest.account_number', '=', 'close.account_number')
        .onRef('latest.day', '=', 'close.day')
        .on('latest.is_latest', '=', true),
    )
    .selectAll('close')
    .select(['latest.id as latest_id', sql<Day>`to_char(close.day, 'YYYY-MM-DD')`.as('day_text')])
    .$narrowType<{ outcome: CloseStatus }>()
    .where('close.id', '=', id)
    .executeTakeFirst()
  return row && { ...toClose(row), latest_id: row.latest_id }
}

/** The latest close of a day, to compare with one made anew. */
export type LatestClose = MadeClose & { id: string; revision: number }

export async function findClose(
  db: Db | Tx,
  { accountNumber, day }: { accountNumber: string; day: Day },
): Promise<LatestClose | undefined> {
  const row = await closes(db)
    .where('account_number', '=', accountNumber)
    .where('day', '=', sql<Date>`${day}::date`)
    .executeTakeFirst()
  return row && { ...row, accountNumber, figures: figuresOf(row) }
}

/** The figures are the same again. */
export async function touchClose(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('daily_close')
    .set({ made_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** The close in place of the one that stood, which stays as history. */
export async function insertClose(
  tx: Tx,
  close: MadeClose & { day: Day },
  before: LatestClose | undefined,
): Promise<void> {
  if (before)
    await tx.updateTable('daily_close').set({ is_latest: false }).where('id', '=', before.id).execute()
  await tx
    .insertInto('daily_close')
    .values({
      account_number: close.accountNumber,
      day: sql<Date>`${close.day}::date`,
      revision: (before?.revision ?? 0) + 1,
      // What programs before the third state read; `outcome` follows by itself.
      status: close.differences.length === 0 ? 'green' : 'red',
      differences: [...close.differences],
      ...close.figures,
    })
    .execute()
}

/** The filter of the list's query; `day` is the same as `from` and `to` of that day. */
export type CloseFilter = NonNullable<QueryOf<typeof operatorDailyCloses.list>['filter']>

function filtered(db: Db, { id, account_number, status, day, from = day, to = day }: CloseFilter) {
  return closes(db)
    .$if(id !== undefined, (query) => query.where('id', 'in', id as string[]))
    .$if(account_number !== undefined, (query) =>
      query.where('account_number', '=', account_number as string),
    )
    .$if(status !== undefined, (query) => query.where('outcome', '=', status as string))
    .$if(from !== undefined, (query) => query.where('day', '>=', sql<Date>`${from}::date`))
    .$if(to !== undefined, (query) => query.where('day', '<=', sql<Date>`${to}::date`))
}

export async function listCloses(
  db: Db,
  filter: CloseFilter,
  { order, from, to }: ListPage,
): Promise<OperatorDailyClose[]> {
  const rows = await filtered(db, filter)
    .orderBy('day', order)
    .orderBy('id', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return rows.map(toClose)
}

const toClose = <
  Row extends Parameters<typeof figuresOf>[0] & { day_text: Day; made_at: Date; outcome: CloseStatus },
>(
  row: Row,
) => ({
  ...row,
  ...figuresOf(row),
  day: row.day_text,
  status: row.outcome,
  made_at: row.made_at.toISOString(),
})

export async function countCloses(db: Db, filter: CloseFilter): Promise<number> {
  return countWithinReach(db, filtered(db, filter))
}
