import { Readable } from 'node:stream'
import { BYTE_ORDER_MARK } from '#server/platform/csv.rules.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { vietnamDay } from '#server/platform/vietnam-time.rules.ts'
import { csvHeadings, cutLine, transactionLine } from './csv.rules.ts'
import { listEntries, type ListedEntry } from './statements.queries.ts'
import { toTransaction } from './statements.rules.ts'
import { statementFilter, type StatementQuery } from './statements.service.ts'

/** What one file may cost; a statement longer than this is taken day by day. */
const LIMITS = { rowsMax: 50_000, batchRows: 1_000 }

/**
 * The player's statement as a CSV file, read in batches while it is sent: each batch goes on where the one before it
 * ended, holds no connection while the reader is slow, and is never held in memory together with the others.
 */
export async function exportStatement(
  deps: PlatformDeps,
  userId: string,
  query: StatementQuery,
  { rowsMax, batchRows }: typeof LIMITS = LIMITS,
): Promise<{ name: string; content: Readable }> {
  const filter = await statementFilter(deps.db, userId, query)
  const batch = (limit: number, last?: ListedEntry) =>
    listEntries(deps.db, filter, {
      sort: query.sort ?? 'created_at',
      order: query.order ?? 'desc',
      limit,
      after: last && { version: last.version, amount: last.amount },
    })
  // Read before anything is answered, so that what goes wrong at once is still a refusal and not half a file.
  const first = await batch(Math.min(batchRows, rowsMax))

  async function* lines() {
    yield BYTE_ORDER_MARK + csvHeadings
    let rows = 0
    for (let entries = first; entries.length > 0;) {
      yield entries.map((entry) => transactionLine(toTransaction(entry))).join('')
      rows += entries.length
      const last = entries.at(-1) as ListedEntry
      if (rows >= rowsMax) {
        if ((await batch(1, last)).length > 0) yield cutLine(rowsMax)
        return
      }
      entries = entries.length < batchRows ? [] : await batch(Math.min(batchRows, rowsMax - rows), last)
    }
  }

  return {
    name: `lich-su-giao-dich-${vietnamDay(deps.clock.now())}.csv`,
    content: Readable.from(lines(), { objectMode: false }),
  }
}
