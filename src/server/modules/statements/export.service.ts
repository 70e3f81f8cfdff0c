import type { Readable } from 'node:stream'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { csvFile } from '#server/platform/http/csv-file.ts'
import { vietnamDay } from '#server/platform/vietnam-time.rules.ts'
import { CSV_HEADINGS, transactionCells } from './csv.rules.ts'
import { listEntries, type ListedEntry } from './statements.queries.ts'
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
