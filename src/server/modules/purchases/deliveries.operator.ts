import { operatorDeliveries } from '#contract/operator/deliveries.ts'
import type { Api, UserCall } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import { getOperatorDelivery, listOperatorDeliveries } from './operator.service.ts'
import { refundDelivery, retryDelivery, settleDelivery, type Resolution } from './resolve.service.ts'
import type { DeliveriesDeps } from './worker.service.ts'

type Act = Pick<UserCall<never>, 'identity' | 'request'> & {
  params: { id: string }
  body: { reason: string }
}

const resolutionOf = ({ params, body, identity, request }: Act): Resolution => ({
  deliveryId: params.id,
  operatorId: identity.userId,
  reason: body.reason,
  requestId: request.id,
})

export function registerOperatorDeliveries(api: Api, deps: DeliveriesDeps): void {
  const { db } = deps
  api.serve(operatorDeliveries.list, async ({ query, reply }) => {
    const page = readList(query, ['created_at', 'ASC'])
    const answer = await listOperatorDeliveries(db, page.filter, page)
    return listAnswer(reply, 'deliveries', { page, ...answer, isGrowing: true })
  })
  api.serve(operatorDeliveries.get, ({ params }) => getOperatorDelivery(db, params.id))
  api.serve(operatorDeliveries.retry, async (call) => {
    await retryDelivery(deps, resolutionOf(call))
    return getOperatorDelivery(db, call.params.id)
  })
  api.serve(operatorDeliveries.refund, async (call) => {
    await refundDelivery(deps, resolutionOf(call))
    return getOperatorDelivery(db, call.params.id)
  })
  api.serve(operatorDeliveries.settle, async (call) => {
    await settleDelivery(deps, resolutionOf(call), call.body.evidence)
    return getOperatorDelivery(db, call.params.id)
  })
}
