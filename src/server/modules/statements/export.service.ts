import type { Readable } from 'node:stream'
import { STATUS_NAMES, type Transaction, TRANSACTION_NAMES } from '#contract/transactions.ts'
import { type Cell, csvMoment } from '#server/platform/values/csv.rules.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { csvFile } from '#server/platform/http/csv-file.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { type ListedEntry, listEntries } from './statements.queries.ts'
import { toTransaction } from './statements.rules.ts'
import { statementFilter, type StatementQuery } from './statements.service.ts'

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
