import { operatorMilestones } from '#contract/operator/promotions.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listPrograms, planProgram, startProgram, stopProgram } from './programs.service.ts'

export function registerOperatorMilestones(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorMilestones.list, { usualSort: ['id', 'DESC'], rows: listPrograms })
  api.serveAll(operatorMilestones, deps, { plan: planProgram, start: startProgram, stop: stopProgram })
}
