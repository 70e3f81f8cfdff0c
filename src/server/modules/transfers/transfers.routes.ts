import { activate, transfer } from '#contract/transfers.ts'
import type { Api } from '#server/platform/http/api.ts'
import { activateAccount } from './activation.service.ts'
import { transferCoins, type TransfersDeps } from './transfers.service.ts'

export function registerTransfers(api: Api, deps: TransfersDeps): void {
  api.serve(activate, ({ identity, key, overLimit, request }) =>
    activateAccount(deps, { userId: identity.userId, key, overLimit, requestId: request.id }),
  )
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
}
