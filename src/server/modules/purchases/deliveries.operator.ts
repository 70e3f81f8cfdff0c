import { gameBridgeCall, operatorDeliveries, type OperatorDelivery } from '#contract/operator/deliveries.ts'
import { deliveryKindName, goodsInWords } from '#contract/deliveries.ts'
import { DELIVERY_WORDS, WAITING_WORDS } from '#contract/operator/words.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { type Cell, csvMoment } from '#server/platform/values/csv.rules.ts'
import type { Api } from '#server/platform/http/api.ts'
import {
  getAttempts,
  getGameBridge,
  getOperatorDelivery,
  listOperatorDeliveries,
  askAboutDelivery,
  refundDelivery,
  retryDeliveries,
  retryDelivery,
  settleDelivery,
} from './operator.service.ts'
import type { DeliveriesDeps } from './worker.service.ts'

/** The first columns of every file of deliveries. */
export const columnsOfGoods: Record<string, (row: OperatorDelivery) => Cell> = {
  'Mã số': ({ id }) => id,
  Loại: ({ kind }) => deliveryKindName(kind),
  'Người chơi': ({ account }) => account,
  'Máy chủ': ({ server_id }) => server_id,
  'Nhân vật': ({ character_name }) => character_name,
  'Vật phẩm': ({ goods }) => goodsInWords(goods),
  'Giá (TCoin)': ({ amount }) => amount,
}

export function registerOperatorDeliveries(api: Api, deps: DeliveriesDeps): void {
  const { db } = deps
  serveOperatorList(api, deps, operatorDeliveries.list, {
    usualSort: ['created_at', 'ASC'],
    rows: listOperatorDeliveries,
    file: {
      ...columnsOfGoods,
      'Trạng thái': ({ state }) => DELIVERY_WORDS[state],
      'Số lần gửi': ({ attempt }) => attempt,
      'Lỗi gần nhất': ({ last_error }) => last_error,
      'Mua lúc': ({ created_at }) => csvMoment(created_at),
      'Xong lúc': ({ settled_at }) => csvMoment(settled_at),
      'Vào nhân vật lúc': ({ collected_at }) => csvMoment(collected_at),
      'Chờ vì': ({ waiting }) => waiting && WAITING_WORDS[waiting],
    },
  })
  api.serve(operatorDeliveries.get, ({ params }) => getOperatorDelivery(db, params.id))
  api.serve(operatorDeliveries.attempts, ({ params }) => getAttempts(db, params.id))
  api.serve(gameBridgeCall, () => getGameBridge(db))
  api.serveAll(operatorDeliveries, deps, {
    ask: askAboutDelivery,
    retryMany: retryDeliveries,
    retry: retryDelivery,
    refund: refundDelivery,
    settle: settleDelivery,
  })
}
