import { operatorGiftCodes, operatorGiftCodeUses } from '#contract/operator/rewards/gift-codes.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listBatches, listUses, makeBatch, startBatch, stopBatch } from './batches.service.ts'

export function registerOperatorGiftCodes(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorGiftCodes.list, {
    resource: 'gift-code-batches',
    usualSort: ['id', 'DESC'],
    isGrowing: true,
    rows: (filter, page) => listBatches(deps.db, filter, page),
  })
  serveOperatorList(api, deps, operatorGiftCodeUses.list, {
    resource: 'gift-code-uses',
    usualSort: ['id', 'DESC'],
    isGrowing: true,
    rows: (filter, page) => listUses(deps.db, filter, page),
  })
  api.serve(operatorGiftCodes.make, (call) => makeBatch(deps, call))
  api.serve(operatorGiftCodes.start, (call) => startBatch(deps, call))
  api.serve(operatorGiftCodes.stop, (call) => stopBatch(deps, call))
}
