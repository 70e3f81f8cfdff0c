import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import {
  type CloseFigures,
  closeFiguresSchema,
  type CloseStatus,
  type OperatorDailyClose,
  type operatorDailyCloses,
  CLOSE_ROWS_MAX,
  type CloseRow,
  type CloseRowKind,
  type DailyCloseDetail,
} from '#contract/operator/daily-closes.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { type CloseDoubts, type Day, dayBounds, type MadeClose } from './daily-close.rules.ts'
import { openEventsOfDay, transfersOfDay } from '#server/modules/bank-inbox/index.ts'

export type AccountDay = { accountNumber: string; figures: CloseFigures; doubts: CloseDoubts }

type FigureColumns = Record<keyof CloseFigures, string | null>

const FIGURE_NAMES = Object.keys(closeFiguresSchema.shape) as (keyof CloseFigures)[]

/** The figures of a close, whether they were just summed up or had been stored. */
function figuresOf(row: FigureColumns): CloseFigures {
  const figures = FIGURE_NAMES.map((name) => [name, row[name] === null ? null : parseCoins(row[name])])
  return Object.fromEntries(figures) as CloseFigures
}

type FiguresRow = FigureColumns & { account_number: string; unreadable: string; without_reason: string }

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
    WITH ${transfersOfDay(bounds)},
    ${moved},
    ${openEventsOfDay(bounds)},
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

/** A day that could not be closed is still due: a mark that it has is enough. */
export async function keepDueDay(db: Db, day: Day): Promise<void> {
  await sql`
    INSERT INTO daily_close_due (day) SELECT ${day}::date
     WHERE NOT EXISTS (SELECT FROM daily_close_due WHERE day = ${day}::date)`.execute(db)
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
    .$narrowType<{ outcome: StoredOutcome }>()
    .where('is_latest', '=', true)

type StoredOutcome = Exclude<CloseStatus, 'empty'>

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
    .$narrowType<{ outcome: StoredOutcome }>()
    .where('close.id', '=', id)
    .executeTakeFirst()
  return row && { ...toClose(row), latest_id: row.latest_id }
}

/** The latest close of a day, to compare with one made now. */
type LatestClose = MadeClose & { id: string; revision: number }

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
    .$if(status !== undefined, (query) =>
      query.where('outcome', '=', status === 'empty' ? 'not-compared' : (status as string)),
    )
    .$if(status === 'empty' || status === 'not-compared', (query) =>
      query.where('is_empty', '=', status === 'empty'),
    )
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
  Row extends Parameters<typeof figuresOf>[0] & {
    day_text: Day
    made_at: Date
    outcome: StoredOutcome
    is_empty: boolean | null
  },
>(
  row: Row,
) => ({
  ...row,
  ...figuresOf(row),
  day: row.day_text,
  status: row.is_empty ? ('empty' as const) : row.outcome,
  made_at: row.made_at.toISOString(),
})

export async function countCloses(db: Db, filter: CloseFilter): Promise<number> {
  return countWithinReach(db, filtered(db, filter))
}

type AccountOfDay = { day: Day; accountNumber: string }

/** The lists of an account and a day, in the order in which the close chooses the one it compares with. */
export async function findStatements(
  db: Db,
  { day, accountNumber }: AccountOfDay,
): Promise<DailyCloseDetail['statements']> {
  const rows = await db
    .selectFrom('bank_statement_day')
    .leftJoin('given_statement as given', 'given.id', 'bank_statement_day.given_id')
    .leftJoin('users as giver', 'giver.id', 'given.given_by')
    .select(['provider', 'read_at', 'in_count', 'in_vnd', 'out_count', 'out_vnd', 'unreadable'])
    .select(['giver.id as giver_id', 'giver.username as giver_name'])
    .select(sql<boolean>`given.picture IS NOT NULL`.as('has_picture'))
    .select(sql<boolean>`listed IS NOT NULL`.as('has_rows'))
    .where('day', '=', sql<Date>`${day}::date`)
    .where('bank_statement_day.account_number', '=', accountNumber)
    .orderBy('in_vnd', 'desc')
    .orderBy('out_vnd', 'desc')
    .orderBy('unreadable', 'desc')
    .orderBy('provider')
    .execute()
  return rows.map(({ provider, read_at, has_rows, has_picture, giver_id, giver_name, ...figures }) => ({
    provider,
    given_by: giver_id && giver_name ? { id: giver_id, username: giver_name } : null,
    has_picture,
    read_at: read_at.toISOString(),
    in_count: parseCoins(figures.in_count),
    in_vnd: parseCoins(figures.in_vnd),
    out_count: parseCoins(figures.out_count),
    out_vnd: parseCoins(figures.out_vnd),
    unreadable: parseCoins(figures.unreadable),
    has_rows,
  }))
}

type Row = { [Name in keyof CloseRow]: string | null } & {
  kind: CloseRowKind
  found: string
  direction: 'in' | 'out'
}

const vndOf = (text: string | null) => (text === null ? null : parseCoins(text))

/** The rows of a statement, each with the event and the transfer of ours that it is; reads `statement` and `ours`. */
const listedRowsOf = (provider: string | null) => sql`told AS (
      SELECT row.* FROM statement,
             jsonb_to_recordset(statement.listed) AS row (id text, direction text, amount bigint, ref text)),
    -- The rows of a file have no id that a provider told: one that names the bank's reference of a transfer with its amount
    -- is that transfer, and of the others the n-th of an amount is our n-th of this amount.
    named AS (
      SELECT DISTINCT ON (o.id) told.id AS told_id, o.id AS transfer_id
        FROM told JOIN ours o ON (o.direction, o.amount, o.bank_ref) = (told.direction, told.amount, told.ref)
       WHERE ${provider} = 'file' ORDER BY o.id, told.id),
    told_again AS (
      SELECT id, direction, amount, row_number() OVER (PARTITION BY direction, amount ORDER BY id::int) AS place
        FROM told WHERE ${provider} = 'file' AND id NOT IN (SELECT told_id FROM named)),
    ours_again AS (
      SELECT id, direction, amount, row_number() OVER (PARTITION BY direction, amount ORDER BY id) AS place
        FROM ours WHERE id NOT IN (SELECT transfer_id FROM named)),
    listed AS (
      SELECT told.id, told.direction, told.amount, e.id AS event_id,
             coalesce(e.bank_transaction_id, named.transfer_id, ours_again.id) AS bank_transaction_id
        FROM told
        -- One index lookup for each row, as for the transfers.
        LEFT JOIN LATERAL (SELECT id, bank_transaction_id FROM payment_event
                            WHERE provider = ${provider} AND provider_event_id = told.id LIMIT 1) e ON true
        LEFT JOIN named ON named.told_id = told.id
        LEFT JOIN told_again ON told_again.id = told.id
        LEFT JOIN ours_again ON (ours_again.direction, ours_again.amount, ours_again.place)
               = (told_again.direction, told_again.amount, told_again.place))`

/**
 * The rows of an account and a day that do not agree, as they are now: those of the bank's list against our transfers, and
 * what makes the close red of itself. `provider` names the list; without its rows only the latter.
 */
export async function listCloseRows(
  db: Db,
  { day, accountNumber, provider }: AccountOfDay & { provider: string | null },
): Promise<DailyCloseDetail['rows']> {
  const bounds = dayBounds(day)
  const { rows } = await sql<Row>`
    WITH ${transfersOfDay(bounds)},
    ${openEventsOfDay(bounds)},
    ours AS (SELECT * FROM transfer WHERE account_number = ${accountNumber}),
    statement AS (
      SELECT listed FROM bank_statement_day
       WHERE day = ${day}::date AND account_number = ${accountNumber} AND provider = ${provider} AND listed IS NOT NULL),
    ${listedRowsOf(provider)},
    found (kind, transfer_id, event_id, listed_id, code, direction, our_vnd, bank_vnd, due, posted) AS (
      SELECT 'not-ours', NULL::bigint, l.event_id, l.id, NULL, l.direction, NULL::bigint, l.amount, NULL::bigint, NULL::bigint
        FROM listed l WHERE NOT EXISTS (SELECT FROM ours WHERE ours.id = l.bank_transaction_id)
      UNION ALL
      SELECT 'not-listed', o.id, NULL, NULL, o.code, o.direction, o.amount, NULL, o.due, o.posted FROM ours o
       WHERE EXISTS (SELECT FROM statement) AND NOT EXISTS (SELECT FROM listed WHERE listed.bank_transaction_id = o.id)
      UNION ALL
      SELECT 'other-amount', o.id, l.event_id, l.id, o.code, o.direction, o.amount, l.amount, o.due, o.posted
        FROM listed l JOIN ours o ON o.id = l.bank_transaction_id
       WHERE (o.amount, o.direction) <> (l.amount, l.direction)
      UNION ALL
      SELECT kind, o.id, NULL, NULL, o.code, o.direction, o.amount, NULL, o.due, o.posted
        FROM ours o CROSS JOIN LATERAL (VALUES
          ('untold', o.direction = 'in' AND NOT o.is_reported),
          ('without-reason', o.state = 'ignored' AND o.reason IS NULL),
          ('coins', o.state = 'credited' AND o.due IS DISTINCT FROM o.posted),
          ('orders', o.state = 'credited' AND (o.credited IS DISTINCT FROM o.posted
                       OR (o.order_id IS NOT NULL AND o.is_order_right IS NOT TRUE)))) AS doubt (kind, is_there)
       WHERE doubt.is_there
      UNION ALL
      SELECT 'open-events', e.bank_transaction_id, e.id, NULL, NULL, e.direction, e.amount, NULL, NULL, NULL
        FROM open_event e WHERE e.account_number = ${accountNumber}),
    numbered AS (
      SELECT *, count(*) OVER (PARTITION BY kind) AS found,
             row_number() OVER (PARTITION BY kind ORDER BY transfer_id, event_id, listed_id) AS place FROM found)
    SELECT kind, found, transfer_id AS bank_transfer_id, event_id AS payment_event_id, listed_id, code AS order_code,
           direction, our_vnd, bank_vnd, due AS due_coins, posted AS ledger_coins
      FROM numbered WHERE place <= ${CLOSE_ROWS_MAX} ORDER BY kind, place`.execute(db)
  const kinds = Map.groupBy(rows, ({ kind }) => kind)
  return [...kinds].map(([kind, first]) => ({
    kind,
    found: Number(first[0]?.found),
    first: first.map(({ kind: _kind, found: _found, ...row }) => ({
      ...row,
      our_vnd: vndOf(row.our_vnd),
      bank_vnd: vndOf(row.bank_vnd),
      due_coins: vndOf(row.due_coins),
      ledger_coins: vndOf(row.ledger_coins),
    })),
  }))
}
