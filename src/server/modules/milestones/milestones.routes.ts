import { operatorMilestones } from '#contract/operator/promotions.ts'
import { claimMilestone, getMilestones } from '#contract/rewards/milestones.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { PurchaseDeps } from '#server/modules/purchases/index.ts'
import { type Api, playerRequestOf } from '#server/platform/http/api.ts'
import { readMilestones, takeStep } from './milestones.service.ts'
import { changeProgram, listPrograms, planProgram, startProgram, stopProgram } from './programs.service.ts'

export function registerMilestones(api: Api, deps: PurchaseDeps): void {
  api.serveRead(getMilestones, ({ identity }) => readMilestones(deps, identity?.userId ?? null))
  api.serve(claimMilestone, (call) => takeStep(deps, call.params.id, playerRequestOf(call)))
}

export function registerOperatorMilestones(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorMilestones.list, { usualSort: ['id', 'DESC'], rows: listPrograms })
  api.serveAll(operatorMilestones, deps, {
    plan: planProgram,
    update: changeProgram,
    start: startProgram,
    stop: stopProgram,
  })
}
