import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { LedgerKind } from '#server/modules/wallet/index.ts'
import { orderCodeOf } from '#server/modules/bank-inbox/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { beyond, countRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { StatementEntry, StatementKind } from './statements.rules.ts'
import { patternsOfWords } from '#contract/search-form.ts'

export type StatementFilter = {
  wallet: RawBuilder<string>
  /** The one entry of this ledger transfer. */
  transferId?: string
  kinds?: readonly LedgerKind[]
  sign?: 'in' | 'out'
  /** From this moment on. */
  from?: Date
  /** Before this moment. */
  before?: Date
  /** Part of a counterparty's username or of a reference, in any case. */
  search?: string
}

/** The position of reading: the last entry that was read. */
export type StatementPosition = { version: string; amount: number }

export type StatementPage = {
  sort: 'created_at' | 'amount'
  order: 'asc' | 'desc'
  limit: number
  /** Rows passed over, for pages; a long reading names its position instead. */
  offset?: number
  after?: StatementPosition | undefined
}

export type ListedEntry = StatementEntry & { version: string }

const otherAccount = sql`CASE WHEN entry.amount < 0 THEN transfer.credit_account ELSE transfer.debit_account END`
const deliveryId = sql`CASE WHEN transfer.source_type = 'delivery' THEN transfer.source_id::uuid END`

/** Of a bonus the promotion and the order; its cause is an `order_bonus`, with a number behind the id after a reversal. */
const bonusOf = sql<StatementEntry['bonus']>`CASE WHEN transfer.kind = 'bonus' THEN (
  SELECT json_build_object('title', p.title, 'orderCode', o.code)
    FROM order_bonus b JOIN promotion p ON p.id = b.promotion_id JOIN payment_order o ON o.id = b.order_id
   WHERE b.id = split_part(transfer.source_id, ':', 1)::bigint) END`

/** Of a gift code what its batch is called; its cause is a `gift_code_use`. */
const giftCodeOf = sql<string | null>`CASE WHEN transfer.kind = 'gift_code' THEN (
  SELECT b.title FROM gift_code_use u JOIN gift_code_batch b ON b.id = u.batch_id
   WHERE u.id = transfer.source_id::bigint) END`

/** A player's wallet, found inside the statement that needs it. */
export const walletOf = (userId: string): RawBuilder<string> =>
  sql<string>`(SELECT wallet_account_id FROM users WHERE id = ${userId}::bigint)`

/** The same, found before: where the plan has to know which wallet, a long or a short one. */
export async function knownWalletOf(db: Db | Tx, userId: string): Promise<RawBuilder<string>> {
  const { wallet_account_id: id } = await db
    .selectFrom('users')
    .select('wallet_account_id')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return sql<string>`${id}::bigint`
}

/** The entries of one wallet that pass the filter. No other account's rows are read. */
function entries(db: Db | Tx, { wallet, transferId, kinds, sign, from, before, search }: StatementFilter) {
  return db
    .selectFrom('ledger_entry as entry')
    .where('entry.account_id', '=', wallet)
    .$if(transferId !== undefined, (query) => query.where('entry.transfer_id', '=', transferId as string))
    .$if(kinds !== undefined, (query) => query.where('entry.kind', 'in', [...(kinds ?? [])]))
    .$if(sign !== undefined, (query) => query.where('entry.amount', sign === 'in' ? '>' : '<', '0'))
    .$if(from !== undefined, (query) => query.where('entry.created_at', '>=', from as Date))
    .$if(before !== undefined, (query) => query.where('entry.created_at', '<', before as Date))
    .$if(search !== undefined, (query) => query.where(isNamed(search as string)))
}

/** True where the entry's counterparty or reference holds the text. */
function isNamed(text: string) {
  const patterns = patternsOfWords(text)
  return sql<SqlBool>`EXISTS (
    SELECT FROM ledger_transfer AS transfer
      LEFT JOIN users AS other ON other.wallet_account_id = ${otherAccount}
     WHERE transfer.id = entry.transfer_id
       AND (other.username_key LIKE ALL (${patterns}::text[])
         OR lower(coalesce(${orderCodeOf('transfer.id')}, (${deliveryId})::text, transfer.id::text)) LIKE ALL (${patterns}::text[])))`
}

/** True for the entries that come after a position in the order they are read in. */
function isBeyond(
  { version, amount }: StatementPosition,
  { sort, order }: Pick<StatementPage, 'sort' | 'order'>,
) {
  return sort === 'amount'
    ? sql<SqlBool>`(entry.amount, entry.account_version) ${beyond(order)} (${amount}::bigint, ${version}::bigint)`
    : sql<SqlBool>`entry.account_version ${beyond(order)} ${version}::bigint`
}

const total = (db: Db | Tx, filter: StatementFilter) =>
  entries(db, filter).select(sql<string>`count(*)`.as('count'))

/** The numbers of the entries on one page, found in an index alone: a late page of a long statement is cheap. */
function pageOf(
  db: Db | Tx,
  filter: StatementFilter,
  { sort, order, limit, offset = 0, after }: StatementPage,
) {
  return (
    entries(db, filter)
      .select('entry.account_version')
      .$if(after !== undefined, (query) => query.where(isBeyond(after as StatementPosition, { sort, order })))
      // An account's entries are numbered in the order they happened, and the number has the index.
      .$if(sort === 'amount', (query) => query.orderBy('entry.amount', order))
      .orderBy('entry.account_version', order)
      .limit(limit)
      .offset(offset)
  )
}

/** One page; the entries' contents, and the rows that explain them, are read for this page only. */
function pageRows(db: Db | Tx, filter: StatementFilter, page: StatementPage) {
  const { sort, order } = page
  return (
    db
      .selectFrom(pageOf(db, filter, page).as('page'))
      // One index lookup for each row; with a plain join PostgreSQL would read the whole wallet for a long batch.
      .innerJoinLateral(
        (query) =>
          query
            .selectFrom('ledger_entry')
            .select(['account_version', 'transfer_id', 'kind', 'amount', 'balance_after', 'created_at'])
            .where('account_id', '=', filter.wallet)
            .whereRef('account_version', '=', 'page.account_version')
            .limit(1)
            .as('entry'),
        (join) => join.onTrue(),
      )
      .innerJoin('ledger_transfer as transfer', 'transfer.id', 'entry.transfer_id')
      .leftJoin('users as other', (join) =>
        join.on('other.wallet_account_id', '=', sql<string>`${otherAccount}`),
      )
      .leftJoin('delivery', (join) => join.on('delivery.id', '=', sql<string>`${deliveryId}`))
      .select(['entry.account_version as version', 'entry.transfer_id as transferId', 'entry.kind'])
      .select(['entry.amount', 'entry.balance_after as balanceAfter', 'entry.created_at as createdAt'])
      .select(['other.username as counterparty', 'transfer.reverses_id as reversesId'])
      .select([orderCodeOf('transfer.id').as('orderCode'), bonusOf.as('bonus'), giftCodeOf.as('giftCode')])
      .select(['delivery.id as deliveryId', 'delivery.state', 'delivery.goods'])
      .select('delivery.character_name as characterName')
      .select(
        sql<boolean>`EXISTS (SELECT FROM delivery_collection c
          WHERE c.delivery_id = delivery.id AND c.collected_at IS NULL)`.as('isUncollected'),
      )
      .$narrowType<{ kind: StatementKind }>()
      .$if(sort === 'amount', (query) => query.orderBy('entry.amount', order))
      .orderBy('entry.account_version', order)
  )
}

type PageRow = Awaited<ReturnType<ReturnType<typeof pageRows>['execute']>>[number]

const toEntry = ({
  deliveryId,
  state,
  characterName,
  goods,
  isUncollected,
  ...row
}: PageRow): ListedEntry => ({
  ...row,
  amount: parseCoins(row.amount),
  balanceAfter: parseCoins(row.balanceAfter),
  delivery:
    deliveryId === null || state === null || characterName === null
      ? null
      : { id: deliveryId, state, characterName, luong: luongOf(goods), isUncollected },
})

export async function listEntries(
  db: Db | Tx,
  filter: StatementFilter,
  page: StatementPage,
): Promise<ListedEntry[]> {
  return (await pageRows(db, filter, page).execute()).map(toEntry)
}

/** One page and how many entries there are in all, in one statement; only behind the last page it takes a second one. */
export async function listPage(
  db: Db | Tx,
  filter: StatementFilter,
  page: StatementPage,
): Promise<{ total: number; entries: ListedEntry[] }> {
  const rows = await pageRows(db, filter, page).select(total(db, filter).as('total')).execute()
  const [first] = rows
  if (first !== undefined) return { total: Number(first.total), entries: rows.map(toEntry) }
  if (!page.offset) return { total: 0, entries: [] }
  return { total: await countRows(entries(db, filter)), entries: [] }
}

/** How much luong was promised: the goods are a list of kinds and quantities. */
function luongOf(goods: unknown): number | null {
  const lines = goods as { kind: string; quantity: number }[]
  return lines.find((line) => line.kind === 'luong')?.quantity ?? null
}
