import { claimMilestone, getMilestones } from '#contract/rewards/milestones.ts'
import type { PurchaseDeps } from '#server/modules/purchases/index.ts'
import { type Api, playerRequestOf } from '#server/platform/http/api.ts'
import { readMilestones, takeStep } from './milestones.service.ts'

export function registerMilestones(api: Api, deps: PurchaseDeps): void {
  api.serveRead(getMilestones, ({ identity }) => readMilestones(deps, identity?.userId ?? null))
  api.serve(claimMilestone, (call) => takeStep(deps, call.params.id, playerRequestOf(call)))
}
