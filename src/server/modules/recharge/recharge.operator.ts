import { operatorRechargeOrders } from '#contract/operator/recharge-orders.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listRange, readListQuery } from '#server/platform/http/list.ts'
import { getOperatorOrder, listOperatorOrders, ORDER_LIST } from './operator-orders.service.ts'
import type { RechargeDeps } from './recharge-deps.ts'

export function registerOperatorRechargeOrders(api: Api, { db }: RechargeDeps): void {
  api.serve(operatorRechargeOrders.list, async ({ query, reply }) => {
    const list = readListQuery(query, ORDER_LIST)
    return listRange(reply, 'recharge-orders', { list, ...(await listOperatorOrders(db, list)) })
  })
  api.serve(operatorRechargeOrders.get, ({ params }) => getOperatorOrder(db, params.code))
}
