import { operatorRechargeOrders } from '#contract/operator/recharge.ts'
import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { CHANNEL_WORDS, ORDER_WORDS } from '#contract/operator/words.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { Api } from '#server/platform/http/api.ts'
import {
  addOrderNote,
  getOperatorOrder,
  listOperatorOrders,
  listOrderNotes,
  previewQr,
} from './operator-orders.service.ts'
import type { RechargeDeps } from './checkout.service.ts'

export function registerOperatorRechargeOrders(api: Api, deps: RechargeDeps): void {
  serveOperatorList(api, deps, operatorRechargeOrders.list, {
    usualSort: ['id', 'ASC'],
    rows: listOperatorOrders,
    file: {
      'Mã đơn': ({ code }) => code,
      'Người chơi': ({ user }) => user.username,
      Kênh: ({ channel }) => CHANNEL_WORDS[channel] ?? channel,
      'Số tiền (VND)': ({ amount }) => amount,
      'Đã cộng (TCoin)': ({ credited }) => credited,
      'Trạng thái': ({ status }) => ORDER_WORDS[status],
      'Tạo lúc': ({ created_at }) => csvMoment(created_at),
      'Nhận tiền lúc': ({ paid_at }) => csvMoment(paid_at),
    },
  })
  api.serve(operatorSettings.previewQr, ({ body }) => previewQr(body.value))
  api.serve(operatorRechargeOrders.get, ({ params }) => getOperatorOrder(deps.db, params.code))
  api.serve(operatorRechargeOrders.notes, ({ params, query }) =>
    listOrderNotes(deps.db, params.code, query.before),
  )
  api.serve(operatorRechargeOrders.addNote, (call) => addOrderNote(deps, call))
}
