import { buyPackage } from '#contract/gifts.ts'
import type { Api } from '#server/platform/http/api.ts'
import { buyGift, type GiftsDeps } from './gifts.service.ts'

export function registerGifts(api: Api, deps: GiftsDeps): void {
  api.serve(buyPackage, ({ identity, key, overLimit, body, request }) =>
    buyGift(deps, { userId: identity.userId, key, overLimit, body, requestId: request.id }),
  )
}
