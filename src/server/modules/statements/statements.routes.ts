import { exportTransactions, listTransactions } from '#contract/transactions.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { exportStatement, listStatement } from './statements.service.ts'

export function registerStatements(api: Api, deps: PlatformDeps): void {
  api.serve(listTransactions, ({ identity, query }) => listStatement(deps, identity.userId, query))
  api.serve(exportTransactions, async ({ identity, query, reply }) => {
    const file = await exportStatement(deps, identity.userId, query)
    await reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .type('text/csv; charset=utf-8')
      .send(file.content)
  })
}
