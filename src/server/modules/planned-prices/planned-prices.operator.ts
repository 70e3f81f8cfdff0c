import { operatorPlannedPrices } from '#contract/operator/setting-calls.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { cancelPlan, listPlans, planPrice } from './planned-prices.service.ts'

export function registerPlannedPrices(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorPlannedPrices.list, {
    resource: 'planned-prices',
    usualSort: ['id', 'DESC'],
    isGrowing: true,
    rows: (filter, page) => listPlans(deps.db, filter, page),
  })
  api.serve(operatorPlannedPrices.plan, (call) => planPrice(deps, call))
  api.serve(operatorPlannedPrices.cancel, (call) => cancelPlan(deps, call))
}
