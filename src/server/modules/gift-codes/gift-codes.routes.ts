import { redeemGiftCode } from '#contract/rewards/gift-codes.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import type { Api } from '#server/platform/http/api.ts'
import { redeem } from './redeeming.service.ts'

export function registerGiftCodes(api: Api, deps: PlatformDeps): void {
  api.serve(redeemGiftCode, ({ identity, body, key, overLimit, request }) =>
    redeem(deps, {
      userId: identity.userId,
      address: clientKey(request.ip),
      body,
      key,
      overLimit,
      requestId: request.id,
    }),
  )
}
