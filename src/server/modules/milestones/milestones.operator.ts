import { operatorMilestones } from '#contract/operator/promotions.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listPrograms, planProgram, startProgram, stopProgram } from './programs.service.ts'

export function registerOperatorMilestones(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorMilestones.list, {
    resource: 'milestones',
    usualSort: ['id', 'DESC'],
    isGrowing: true,
    rows: (filter, page) => listPrograms(deps.db, filter, page),
  })
  api.serve(operatorMilestones.plan, (call) => planProgram(deps, call))
  api.serve(operatorMilestones.start, (call) => startProgram(deps, call))
  api.serve(operatorMilestones.stop, (call) => stopProgram(deps, call))
}
