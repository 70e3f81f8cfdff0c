import { operatorGiftCodes, operatorGiftCodeUses } from '#contract/operator/rewards/gift-codes.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listBatches, listUses, makeBatch, startBatch, stopBatch } from './batches.service.ts'

export function registerOperatorGiftCodes(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorGiftCodes.list, { usualSort: ['id', 'DESC'], rows: listBatches })
  serveOperatorList(api, deps, operatorGiftCodeUses.list, { usualSort: ['id', 'DESC'], rows: listUses })
  api.serveAll(operatorGiftCodes, deps, { make: makeBatch, start: startBatch, stop: stopBatch })
}
