import { operatorBudgets } from '#contract/operator/promotions.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { createBudget, fundBudget, listBudgets } from './budgets.service.ts'

export function registerOperatorBudgets(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorBudgets.list, { usualSort: ['id', 'DESC'], rows: listBudgets })
  api.serveAll(operatorBudgets, deps, { create: createBudget, fund: fundBudget })
}
