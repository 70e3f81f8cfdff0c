import { sql } from 'kysely'
import {
  CLOSE_ROWS_MAX,
  type CloseRow,
  type CloseRowKind,
  type DailyCloseDetail,
} from '#contract/operator/daily-closes.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { dayTransfers, openEvents } from './daily-close.queries.ts'
import { dayBounds, type Day } from './daily-close.rules.ts'

export type AccountOfDay = { day: Day; accountNumber: string }

/** The lists of an account and a day, in the order in which the close chooses the one it compares with. */
export async function findStatements(
  db: Db,
  { day, accountNumber }: AccountOfDay,
): Promise<DailyCloseDetail['statements']> {
  const rows = await db
    .selectFrom('bank_statement_day')
    .select(['provider', 'read_at', 'in_count', 'in_vnd', 'out_count', 'out_vnd', 'unreadable'])
    .select(sql<boolean>`listed IS NOT NULL`.as('has_rows'))
    .where('day', '=', sql<Date>`${day}::date`)
    .where('account_number', '=', accountNumber)
    .orderBy('in_vnd', 'desc')
    .orderBy('out_vnd', 'desc')
    .orderBy('unreadable', 'desc')
    .orderBy('provider')
    .execute()
  return rows.map(({ provider, read_at, has_rows, ...figures }) => ({
    provider,
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
    WITH ${dayTransfers(bounds)},
    ${openEvents(bounds)},
    ours AS (SELECT * FROM transfer WHERE account_number = ${accountNumber}),
    statement AS (
      SELECT listed FROM bank_statement_day
       WHERE day = ${day}::date AND account_number = ${accountNumber} AND provider = ${provider} AND listed IS NOT NULL),
    listed AS (
      SELECT row.id, row.direction, row.amount, e.id AS event_id, e.bank_transaction_id
        FROM statement, jsonb_to_recordset(statement.listed) AS row (id text, direction text, amount bigint)
        -- One index lookup for each row, as for the transfers.
        LEFT JOIN LATERAL (SELECT id, bank_transaction_id FROM payment_event
                            WHERE provider = ${provider} AND provider_event_id = row.id LIMIT 1) e ON true),
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
