import { operatorDailyCloses, operatorReconciliation } from '#contract/operator/daily-closes.ts'
import { operatorRechargeOrders } from '#contract/operator/recharge.ts'
import { CLOSE_WORDS, DIFFERENCE_WORDS } from '#contract/operator/words.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import { sendPicture } from '#server/platform/http/send-picture.ts'
import type { Api } from '#server/platform/http/api.ts'
import { getDailyClose, readDayAnew, listDailyCloses } from './daily-close.service.ts'
import { queryOrder } from './order-queries.service.ts'
import {
  giveFigures,
  readProof,
  readStatementFile,
  takeStatementFile,
} from './given-statements/given-statements.service.ts'
import type { ReconciliationDeps } from './pull.service.ts'
import { readReconciliation, startReconciliation } from './runs.service.ts'

export function registerOperatorReconciliation(api: Api, deps: ReconciliationDeps): void {
  api.serve(operatorRechargeOrders.query, (call) => queryOrder(deps, call))
  api.serve(operatorDailyCloses.get, ({ params }) => getDailyClose(deps.db, params.id))
  api.serve(operatorDailyCloses.readAnew, (call) => readDayAnew(deps, call))
  api.serve(operatorDailyCloses.readFile, (call) => readStatementFile(deps, call))
  api.serve(operatorDailyCloses.takeFile, (call) => takeStatementFile(deps, call))
  api.serve(operatorDailyCloses.giveFigures, (call) => giveFigures(deps, call))
  api.serve(operatorDailyCloses.picture, async ({ params: { id }, reply }) => {
    await sendPicture(reply, await readProof(deps.db, id), `chot-ngay-${id}`)
  })
  api.serve(operatorReconciliation.get, () => readReconciliation(deps.db))
  api.serve(operatorReconciliation.start, (call) => startReconciliation(deps, call))
  serveOperatorList(api, deps, operatorDailyCloses.list, {
    usualSort: ['day', 'DESC'],
    rows: listDailyCloses,
    file: {
      Ngày: ({ day }) => day,
      'Tài khoản nhận': ({ account_number }) => account_number,
      Lần: ({ revision }) => revision,
      'Kết quả': ({ status }) => CLOSE_WORDS[status],
      'Không khớp': ({ differences }) =>
        differences.map((name) => DIFFERENCE_WORDS[name] ?? name).join(' · '),
      'Ngân hàng vào (VND)': ({ bank_in_vnd }) => bank_in_vnd,
      'Ngân hàng ra (VND)': ({ bank_out_vnd }) => bank_out_vnd,
      'Đã đến (VND)': ({ arrived_vnd }) => arrived_vnd,
      'Đã cộng (VND)': ({ credited_vnd }) => credited_vnd,
      'Chờ kiểm tra (VND)': ({ review_vnd }) => review_vnd,
      'Đã hoàn (VND)': ({ refunded_vnd }) => refunded_vnd,
      'Bỏ qua (VND)': ({ ignored_vnd }) => ignored_vnd,
      'Phải cộng (TCoin)': ({ due_coins }) => due_coins,
      'Sổ cái đã cộng (TCoin)': ({ ledger_coins }) => ledger_coins,
      'Đối soát lúc': ({ made_at }) => csvMoment(made_at),
    },
  })
}
