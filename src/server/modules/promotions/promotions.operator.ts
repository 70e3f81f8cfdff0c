import { operatorPromotions } from '#contract/operator/promotions.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { ProposalsDeps } from '#server/modules/proposals/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import {
  listPromotions,
  planPromotion,
  previewPromotion,
  startPromotion,
  stopPromotion,
} from './promotions.service.ts'

export function registerOperatorPromotions(api: Api, deps: ProposalsDeps): void {
  serveOperatorList(api, deps, operatorPromotions.list, {
    resource: 'promotions',
    usualSort: ['id', 'DESC'],
    isGrowing: true,
    rows: (filter, page) => listPromotions(deps.db, filter, page),
  })
  api.serve(operatorPromotions.preview, ({ body }) => previewPromotion(deps, body))
  api.serve(operatorPromotions.plan, (call) => planPromotion(deps, call))
  api.serve(operatorPromotions.start, (call) => startPromotion(deps, call))
  api.serve(operatorPromotions.stop, (call) => stopPromotion(deps, call))
}
