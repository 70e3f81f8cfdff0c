import { operatorGameComparison, operatorMissingDeliveries } from '#contract/operator/game/comparison.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import { columnsOfGoods } from './deliveries.operator.ts'
import { listOperatorMissing, readComparison, startComparison } from './comparison.service.ts'
import { giveAgain } from './giving-again.service.ts'

export function registerOperatorComparison(api: Api, deps: ProposalsDeps): void {
  const { db } = deps
  api.serve(operatorGameComparison.get, () => readComparison(db))
  api.serve(operatorGameComparison.start, (call) => startComparison(deps, call))
  api.serve(operatorMissingDeliveries.giveAgain, (call) => giveAgain(deps, call))
  serveOperatorList(api, deps, operatorMissingDeliveries.list, {
    usualSort: ['created_at', 'ASC'],
    rows: listOperatorMissing,
    file: {
      ...columnsOfGoods,
      'Mua lúc': ({ created_at }) => csvMoment(created_at),
      'Vào nhân vật lúc': ({ collected_at }) => csvMoment(collected_at),
      'Giao lại bằng': ({ replaced_by }) => replaced_by,
    },
  })
}
