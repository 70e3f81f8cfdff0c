import { checkIn, getCheckIn } from '#contract/rewards/check-in.ts'
import { operatorCheckIns } from '#contract/operator/promotions.ts'
import type { PurchaseDeps } from '#server/modules/purchases/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { countCheckIns, readCheckIn, takeToday } from './check-in.service.ts'

export function registerCheckIn(api: Api, deps: PurchaseDeps): void {
  api.serve(getCheckIn, ({ identity }) => readCheckIn(deps, identity.userId))
  api.serve(checkIn, ({ identity, key, overLimit, body, request }) =>
    takeToday(deps, { userId: identity.userId, key, overLimit, body, requestId: request.id }),
  )
  api.serve(operatorCheckIns.days, () => countCheckIns(deps))
}
