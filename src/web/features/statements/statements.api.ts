import { listTransactions } from '#contract/transactions.ts'
import { apiQueryOf, type StatementView } from '#web/features/statements/statement-query.ts'
import { apiQuery } from '#web/query-client.ts'

export const statementQuery = (view: StatementView) => apiQuery(listTransactions, { query: apiQueryOf(view) })
