import { operatorGiftCodes, operatorGiftCodeUses } from '#contract/operator/rewards/gift-codes.ts'
import { redeemGiftCode } from '#contract/rewards/gift-codes.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { type Api, playerRequestOf } from '#server/platform/http/api.ts'
import { changeBatch, listBatches, listUses, makeBatch, startBatch, stopBatch } from './batches.service.ts'
import { redeem } from './redeeming.service.ts'

export function registerGiftCodes(api: Api, deps: PlatformDeps): void {
  api.serve(redeemGiftCode, (call) =>
    redeem(deps, { ...playerRequestOf(call), address: clientKey(call.request.ip) }),
  )
}

export function registerOperatorGiftCodes(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorGiftCodes.list, { usualSort: ['id', 'DESC'], rows: listBatches })
  serveOperatorList(api, deps, operatorGiftCodeUses.list, { usualSort: ['id', 'DESC'], rows: listUses })
  api.serveAll(operatorGiftCodes, deps, {
    make: makeBatch,
    update: changeBatch,
    start: startBatch,
    stop: stopBatch,
  })
}
