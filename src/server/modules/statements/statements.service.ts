import type { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import {
  STATUS_NAMES,
  type Transaction,
  TRANSACTION_NAMES,
  type transactionsCsvQuery,
} from '#contract/transactions.ts'
import { type Cell, csvMoment } from '#server/platform/values/csv.rules.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { csvFile } from '#server/platform/http/csv-file.ts'
import { type Page, pageOf, type PageQuery } from '#server/platform/http/list.ts'
import { boundsOfDay, vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import {
  knownWalletOf,
  listPage,
  type StatementFilter,
  walletOf,
  type ListedEntry,
  listEntries,
} from './statements.queries.ts'
import { KINDS_OF_TYPE, toTransaction } from './statements.rules.ts'

/** Filters of a statement, page by page or whole; an absent part does not narrow it. */
export type StatementQuery = z.output<typeof transactionsCsvQuery>

/** One page of the player's statement, the newest first by default. */
export async function listStatement(
  deps: PlatformDeps,
  userId: string,
  query: StatementQuery & PageQuery,
): Promise<Page<Transaction>> {
  const { limit, offset, of } = pageOf(query)
  const { total, entries } = await listPage(deps.db, await statementFilter(deps.db, userId, query), {
    sort: query.sort ?? 'created_at',
    order: query.order ?? 'desc',
    limit,
    offset,
  })
  return of(total, entries.map(toTransaction))
}

/** One line of the player's statement; undefined when it is not theirs. */
export async function findTransaction(
  db: Db,
  userId: string,
  transferId: string,
): Promise<Transaction | undefined> {
  const page = { sort: 'created_at', order: 'desc', limit: 1 } as const
  const [entry] = await listEntries(db, { wallet: walletOf(userId), transferId }, page)
  return entry && toTransaction(entry)
}

/** What a query means for the player's wallet; throws a field refusal for a day there is not. */
async function statementFilter(db: Db, userId: string, query: StatementQuery): Promise<StatementFilter> {
  const firstDay = query.filter_from === undefined ? undefined : boundsOfDay(query.filter_from)
  const lastDay = query.filter_to === undefined ? undefined : boundsOfDay(query.filter_to)
  // PostgreSQL's text cannot hold a NUL, and no name or reference has one.
  const search = query.search?.replaceAll('\0', '').trim()
  return {
    // A late page by amount is read in the index's order only when the wallet is known to be long.
    wallet: query.sort === 'amount' ? await knownWalletOf(db, userId) : walletOf(userId),
    ...(query.filter_type === undefined ? {} : KINDS_OF_TYPE[query.filter_type]),
    ...(firstDay === undefined ? {} : { from: firstDay.start }),
    ...(lastDay === undefined ? {} : { before: lastDay.end }),
    ...(search ? { search } : {}),
  }
}

/** The player's whole statement as a CSV file, read in batches while it is sent. */
export async function exportStatement(
  deps: PlatformDeps,
  userId: string,
  query: StatementQuery,
): Promise<{ name: string; content: Readable }> {
  const filter = await statementFilter(deps.db, userId, query)
  const { sort = 'created_at', order = 'desc' } = query
  return {
    name: `lich-su-giao-dich-${vietnamDay(deps.clock.now())}.csv`,
    content: await csvFile<ListedEntry>({
      headings: CSV_HEADINGS,
      cells: (entry) => transactionCells(toTransaction(entry)),
      read: (limit, last) =>
        listEntries(deps.db, filter, {
          sort,
          order,
          limit,
          after: last && { version: last.version, amount: last.amount },
        }),
    }),
  }
}

export const CSV_HEADINGS = [
  'Thời gian',
  'Loại giao dịch',
  'Số tiền (TCoin)',
  'Số dư sau (TCoin)',
  'Nội dung',
  'Người chơi liên quan',
  'Trạng thái',
  'Mã giao dịch',
] as const

export function transactionCells(transaction: Transaction): Cell[] {
  return [
    csvMoment(transaction.created_at),
    TRANSACTION_NAMES[transaction.type],
    transaction.amount,
    transaction.balance_after,
    transaction.description,
    transaction.counterparty ?? null,
    STATUS_NAMES[transaction.status],
    transaction.reference,
  ]
}
