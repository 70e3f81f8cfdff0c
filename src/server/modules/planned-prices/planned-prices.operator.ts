import { operatorPlannedPrices } from '#contract/operator/setting-calls.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { cancelPlan, listPlans, planPrice } from './planned-prices.service.ts'

export function registerPlannedPrices(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorPlannedPrices.list, { usualSort: ['id', 'DESC'], rows: listPlans })
  api.serveAll(operatorPlannedPrices, deps, { plan: planPrice, cancel: cancelPlan })
}
