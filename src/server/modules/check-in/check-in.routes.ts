import { checkIn, getCheckIn } from '#contract/rewards/check-in.ts'
import { operatorCheckIns } from '#contract/operator/promotions.ts'
import type { PurchaseDeps } from '#server/modules/purchases/index.ts'
import { type Api, playerRequestOf } from '#server/platform/http/api.ts'
import { countCheckIns, readCheckIn, takeToday } from './check-in.service.ts'

export function registerCheckIn(api: Api, deps: PurchaseDeps): void {
  api.serve(getCheckIn, ({ identity }) => readCheckIn(deps, identity.userId))
  api.serve(checkIn, (call) => takeToday(deps, playerRequestOf(call)))
  api.serve(operatorCheckIns.days, () => countCheckIns(deps))
}
