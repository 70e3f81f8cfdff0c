import { operatorRechargeOrders } from '#contract/operator/recharge-orders.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import { getOperatorOrder, listOperatorOrders } from './operator-orders.service.ts'
import type { RechargeDeps } from './recharge-deps.ts'

export function registerOperatorRechargeOrders(api: Api, { db }: RechargeDeps): void {
  api.serve(operatorRechargeOrders.list, async ({ query, reply }) => {
    const page = readList(query, ['id', 'ASC'])
    const answer = await listOperatorOrders(db, page.filter, page)
    return listAnswer(reply, 'recharge-orders', { page, ...answer, isGrowing: true })
  })
  api.serve(operatorRechargeOrders.get, ({ params }) => getOperatorOrder(db, params.code))
}
