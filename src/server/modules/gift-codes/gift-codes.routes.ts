import { redeemGiftCode } from '#contract/rewards/gift-codes.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { type Api, playerRequestOf } from '#server/platform/http/api.ts'
import { redeem } from './redeeming.service.ts'

export function registerGiftCodes(api: Api, deps: PlatformDeps): void {
  api.serve(redeemGiftCode, (call) =>
    redeem(deps, { ...playerRequestOf(call), address: clientKey(call.request.ip) }),
  )
}
