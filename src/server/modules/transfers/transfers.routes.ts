import { findPayee, listRecentPayees, transfer } from '#contract/transfers.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { lookUpPayee, recentPayees, transferCoins } from './transfers.service.ts'

export function registerTransfers(api: Api, deps: PlatformDeps): void {
  api.serve(transfer, ({ identity, body, key, overLimit, request }) =>
    transferCoins(deps, {
      payerId: identity.userId,
      payee: body.payee,
      amount: body.amount,
      activate: body.activate === true,
      key,
      overLimit,
      requestId: request.id,
    }),
  )
  api.serve(findPayee, ({ identity, body }) =>
    lookUpPayee(deps, { payerId: identity.userId, payee: body.payee }),
  )
  api.serve(listRecentPayees, ({ identity }) => recentPayees(deps, identity.userId))
}
