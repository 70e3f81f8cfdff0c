import type { FastifyInstance } from 'fastify'
import { listTransactions, TRANSACTIONS_CSV_PATH, transactionsCsvQuery } from '#contract/transactions.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { validate } from '#server/platform/http/validate.ts'
import { exportStatement } from './export.service.ts'
import { listStatement } from './statements.service.ts'

export function registerStatements(app: FastifyInstance, api: Api, deps: PlatformDeps): void {
  api.serve(listTransactions, ({ identity, query }) => listStatement(deps, identity.userId, query))
  app.route({
    method: 'GET',
    url: `/api${TRANSACTIONS_CSV_PATH}`,
    // A HEAD would read the statement for nothing.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { userId } = await api.require(request)
      const file = await exportStatement(deps, userId, validate(transactionsCsvQuery, request.query))
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .type('text/csv; charset=utf-8')
        .send(file.content)
    },
  })
}
