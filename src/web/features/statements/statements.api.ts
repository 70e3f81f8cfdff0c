import { listTransactions, TRANSACTIONS_CSV_PATH } from '#contract/transactions.ts'
import { apiQueryOf, type StatementView } from '#web/features/statements/statement-query.ts'
import { savingCall } from '#web/parts/sending/saving-call.ts'
import { ownQuery } from '#web/query-client.ts'

export const statementQuery = (view: StatementView) =>
  ownQuery<typeof listTransactions>('/user/transactions', { query: apiQueryOf(view) })

const statementFile = { ...listTransactions, path: TRANSACTIONS_CSV_PATH }

/** Saves everything that the view lists, not only its page. */
export async function saveStatement(view: StatementView): Promise<void> {
  const { page: _page, items_per_page: _count, ...query } = apiQueryOf(view)
  await savingCall('giao-dich.csv')(statementFile, { query })
}
