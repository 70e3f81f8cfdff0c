import { listTransactions } from '#contract/transactions.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listStatement, type StatementsDeps } from './statements.service.ts'

export function registerStatements(api: Api, deps: StatementsDeps): void {
  api.serve(listTransactions, ({ identity, query }) => listStatement(deps, identity.userId, query))
}
