import { operatorPromotions } from '#contract/operator/promotions.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import {
  changePromotion,
  listPromotions,
  planPromotion,
  previewPromotion,
  startPromotion,
  stopPromotion,
} from './promotions.service.ts'

export function registerOperatorPromotions(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorPromotions.list, { usualSort: ['id', 'DESC'], rows: listPromotions })
  api.serve(operatorPromotions.preview, ({ body }) => previewPromotion(deps, body))
  api.serveAll(operatorPromotions, deps, {
    plan: planPromotion,
    update: changePromotion,
    start: startPromotion,
    stop: stopPromotion,
  })
}
