import { sql, type RawBuilder } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type {
  LedgerTransfer,
  LedgerTransferDetail,
  operatorLedgerTransfers,
} from '#contract/operator/ledger-transfers.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { ListPage } from '#server/platform/http/list.ts'

type Given = NonNullable<QueryOf<typeof operatorLedgerTransfers.list>['filter']>

export type LedgerFilter = Pick<Given, 'id' | 'kind' | 'source' | 'amount'> & {
  /** One whose movements are looked for: a wallet, or that of a budget. */
  accountId?: string | undefined
  from?: Date | undefined
  before?: Date | undefined
}

/** What a movement and its side in one account have in common. */
const times = ({ from, before }: LedgerFilter) => [
  from === undefined ? null : sql`moved.created_at >= ${from}`,
  before === undefined ? null : sql`moved.created_at < ${before}`,
]

function ofSource(source: string): RawBuilder<unknown> {
  const end = source.indexOf(':')
  return sql`moved.source_type = ${source.slice(0, end)} AND moved.source_id = ${source.slice(end + 1)}`
}

function inLedger(filter: LedgerFilter): RawBuilder<boolean> {
  const { id, kind, source, amount } = filter
  return allOf([
    id === undefined ? null : sql`moved.id = ANY (${id}::bigint[])`,
    kind === undefined ? null : sql`moved.kind = ${kind}`,
    source === undefined ? null : ofSource(source),
    amount === undefined ? null : sql`moved.amount = ${amount}::bigint`,
    ...times(filter),
  ])
}

/** Every movement of a player touches the wallet, also one of a debt: the entries of the account are read in their order. */
function inAccount({ accountId, id, kind, source, amount, ...filter }: LedgerFilter): RawBuilder<boolean> {
  return allOf([
    sql`moved.account_id = ${accountId}::bigint`,
    id === undefined ? null : sql`moved.transfer_id = ANY (${id}::bigint[])`,
    kind === undefined ? null : sql`moved.kind = ${kind}`,
    source === undefined
      ? null
      : sql`moved.transfer_id IN (SELECT id FROM ledger_transfer moved WHERE ${ofSource(source)})`,
    amount === undefined ? null : sql`moved.amount IN (${amount}::bigint, -${amount}::bigint)`,
    ...times(filter),
  ])
}

function pageOf(filter: LedgerFilter, { order, from, to, after }: ListPage): RawBuilder<unknown> {
  const direction = sql.raw(order)
  const rows = sql`OFFSET ${from} LIMIT ${to - from + 1}`
  if (filter.accountId !== undefined) {
    const mark = sql`(SELECT account_version FROM ledger_entry
      WHERE transfer_id = ${after}::bigint AND account_id = ${filter.accountId}::bigint)`
    return sql`SELECT transfer_id AS id FROM ledger_entry moved WHERE ${inAccount(filter)}
      ${after === undefined ? sql`` : sql`AND moved.account_version ${beyond(order)} ${mark}`}
      ORDER BY moved.account_version ${direction} ${rows}`
  }
  const mark = sql`((SELECT created_at FROM ledger_transfer WHERE id = ${after}::bigint), ${after}::bigint)`
  return sql`SELECT id FROM ledger_transfer moved WHERE ${inLedger(filter)}
    ${after === undefined ? sql`` : sql`AND (moved.created_at, moved.id) ${beyond(order)} ${mark}`}
    ORDER BY moved.created_at ${direction}, moved.id ${direction} ${rows}`
}

const account = (side: 'debit' | 'credit') => sql`(
  SELECT json_build_object('id', a.id::text, 'kind', a.kind, 'user',
      CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id::text, 'username', u.username) END)
    FROM ledger_account a LEFT JOIN users u ON u.id = a.user_id WHERE a.id = t.${sql.ref(`${side}_account`)})`

const columns = sql`t.id, t.kind, t.amount, t.source_type, t.source_id, t.created_at,
  ${account('debit')} AS debit, ${account('credit')} AS credit`

type Raw = Omit<LedgerTransfer, 'amount' | 'created_at'> & { amount: string; created_at: Date }

const toTransfer = <Row extends Raw>(row: Row) => ({
  ...row,
  amount: parseCoins(row.amount),
  created_at: row.created_at.toISOString(),
})

/** The page is found in an index; what explains a movement is joined to its rows only. */
export async function listLedger(db: Db, filter: LedgerFilter, page: ListPage): Promise<LedgerTransfer[]> {
  const direction = sql.raw(page.order)
  const { rows } = await sql<Raw>`
    WITH page AS MATERIALIZED (${pageOf(filter, page)})
    SELECT ${columns} FROM page JOIN ledger_transfer t ON t.id = page.id
     ORDER BY t.created_at ${direction}, t.id ${direction}`.execute(db)
  return rows.map(toTransfer)
}

export async function countLedger(db: Db, filter: LedgerFilter): Promise<number> {
  return filter.accountId === undefined
    ? countWithinReach(db, db.selectFrom('ledger_transfer as moved').where(inLedger(filter)))
    : countWithinReach(db, db.selectFrom('ledger_entry as moved').where(inAccount(filter)))
}

export async function findBudgetAccount(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('budget').select('account_id').where('id', '=', id).executeTakeFirst()
  return row?.account_id
}

const named = (id: string) => sql`(
  SELECT json_build_object('id', u.id::text, 'username', u.username) FROM users u WHERE u.id = t.${sql.ref(id)})`

type RawDetail = Raw & Omit<LedgerTransferDetail, keyof LedgerTransfer | 'entries'>

type RawSide = Record<'account_id' | 'amount' | 'balance_before' | 'balance_after', string> & {
  stripe: number | null
  whole_balance: string | null
}

export async function findLedgerTransfer(db: Db, id: string): Promise<LedgerTransferDetail | undefined> {
  const { rows } = await sql<RawDetail>`
    SELECT ${columns}, t.reverses_id, t.request_id,
        (SELECT back.id::text FROM ledger_transfer back WHERE back.reverses_id = t.id) AS reversed_by,
        ${named('actor_user_id')} AS player, ${named('actor_operator_id')} AS operator
      FROM ledger_transfer t WHERE t.id = ${id}::bigint`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { rows: entries } = await sql<RawSide>`
    SELECT e.account_id, e.amount, e.balance_before, e.balance_after,
        CASE WHEN a.user_id IS NULL AND a.kind <> 'budget' THEN a.stripe END AS stripe,
        CASE WHEN a.kind = 'budget' THEN a.balance WHEN a.user_id IS NULL THEN
          (SELECT sum(part.balance) FROM ledger_account part WHERE part.kind = a.kind AND part.user_id IS NULL AND part.kind <> 'budget')
        END AS whole_balance
      FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
     WHERE e.transfer_id = ${id}::bigint ORDER BY e.amount`.execute(db)
  return {
    ...toTransfer(row),
    entries: entries.map((entry) => ({
      account_id: entry.account_id,
      stripe: entry.stripe,
      whole_balance: entry.whole_balance === null ? null : parseCoins(entry.whole_balance),
      amount: parseCoins(entry.amount),
      balance_before: parseCoins(entry.balance_before),
      balance_after: parseCoins(entry.balance_after),
    })),
  }
}
