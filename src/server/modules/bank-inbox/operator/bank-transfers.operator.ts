import {
  operatorBankTransfers,
  operatorPaymentEvents,
  settleDebtCall,
  severalBankTransfers,
} from '#contract/operator/bank-transfers.ts'
import { operatorGatewayRefunds } from '#contract/operator/gateway-refunds.ts'
import { operatorClaims } from '#contract/operator/recharge.ts'
import { DIRECTION_WORDS, EVENT_WORDS, REFUND_WORDS, TRANSFER_WORDS } from '#contract/operator/words.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { Api } from '#server/platform/http/api.ts'
import { sendPicture } from '#server/platform/http/send-picture.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import { linkReversal, reverseCredit, settleDebtOf } from '../crediting/reversals.service.ts'
import { listRefunds, refundAtGateway } from '../gateway-refunds/gateway-refunds.service.ts'
import { acceptEvent, dismissEvent, getEvent, listEvents } from '../intake/payment-events.service.ts'
import {
  requestOf,
  creditPlayer,
  ignoreTransfer,
  markRefunded,
  matchTransfer,
  matchTransfers,
} from './bank-transfers.service.ts'
import { answerClaim, getOperatorClaim, getPicture } from './claim-answers.service.ts'
import { getTransfer, listSuggestedOrders, listTransfers } from './inbox.service.ts'
import { approveProposal, rejectProposal, withdrawProposal } from './proposals.service.ts'

export function registerBankTransfers(api: Api, deps: BankInboxDeps): void {
  const transfers = operatorBankTransfers
  serveOperatorList(api, deps, transfers.list, {
    usualSort: ['created_at', 'ASC'],
    rows: (_db, filter, page) => listTransfers(deps, filter, page),
    file: {
      'Mã số': ({ id }) => id,
      'Báo về lúc': ({ created_at }) => csvMoment(created_at),
      'Ngân hàng ghi lúc': ({ booked_at }) => csvMoment(booked_at),
      'Tài khoản nhận': ({ account_number }) => account_number,
      Chiều: ({ direction }) => DIRECTION_WORDS[direction],
      'Số tiền (VND)': ({ amount }) => amount,
      'Mã ngân hàng': ({ bank_ref }) => bank_ref,
      'Nội dung': ({ memo }) => memo,
      'Trạng thái': ({ state }) => TRANSFER_WORDS[state],
      'Vì sao': ({ reason_text }) => reason_text,
      'Đơn nạp': ({ order_code }) => order_code,
      'Người chơi': ({ user }) => user?.username ?? null,
      'Đã cộng (TCoin)': ({ credited }) => credited,
    },
  })
  api.serve(transfers.get, ({ params }) => getTransfer(deps, params.id))
  api.serve(transfers.match, (call) => matchTransfer(deps, requestOf(call)))
  api.serve(severalBankTransfers.suggestedOrders, ({ query }) =>
    listSuggestedOrders(deps, query.ids.split(',')),
  )
  api.serve(severalBankTransfers.matchMany, (call) => matchTransfers(deps, call))
  api.serve(transfers.credit, (call) => creditPlayer(deps, requestOf(call)))
  api.serve(transfers.refund, (call) => markRefunded(deps, requestOf(call)))
  api.serve(transfers.refundAtGateway, (call) => refundAtGateway(deps, requestOf(call)))
  api.serve(transfers.ignore, (call) => ignoreTransfer(deps, requestOf(call)))
  api.serve(transfers.linkReversal, (call) => linkReversal(deps, requestOf(call)))
  api.serve(transfers.reverseCredit, (call) => reverseCredit(deps, requestOf(call)))
  api.serve(transfers.approve, (call) => approveProposal(deps, requestOf(call)))
  api.serve(transfers.reject, (call) => rejectProposal(deps, requestOf(call)))
  api.serve(transfers.withdraw, (call) => withdrawProposal(deps, requestOf(call)))

  registerRefunds(api, deps)

  const events = operatorPaymentEvents
  serveOperatorList(api, deps, events.list, {
    usualSort: ['id', 'DESC'],
    rows: listEvents,
    file: {
      'Mã số': ({ id }) => id,
      'Nhận lúc': ({ received_at }) => csvMoment(received_at),
      'Nguồn báo': ({ provider }) => provider,
      'Trạng thái': ({ status }) => EVENT_WORDS[status],
      'Mã của nguồn báo': ({ provider_event_id }) => provider_event_id,
      'Tài khoản nhận': ({ account_number }) => account_number,
      'Tài khoản ảo': ({ virtual_account }) => virtual_account,
      'Số tiền (VND)': ({ amount }) => amount,
      'Mã ngân hàng': ({ bank_ref }) => bank_ref,
      'Nội dung': ({ memo }) => memo,
      'Vì sao': ({ reason_text }) => reason_text,
    },
  })
  api.serve(events.get, ({ params }) => getEvent(deps.db, params.id))
  api.serve(events.accept, (call) => acceptEvent(deps, requestOf(call)))
  api.serve(events.dismiss, (call) => dismissEvent(deps, requestOf(call)))
  api.serve(settleDebtCall, (call) => settleDebtOf(deps, requestOf(call)))
}

function registerRefunds(api: Api, deps: BankInboxDeps): void {
  serveOperatorList(api, deps, operatorGatewayRefunds.list, {
    usualSort: ['id', 'DESC'],
    rows: listRefunds,
    file: {
      'Mã số': ({ id }) => id,
      'Yêu cầu lúc': ({ asked_at }) => csvMoment(asked_at),
      'Người yêu cầu': ({ asked_by }) => asked_by.username,
      'Mã hoàn tiền': ({ refund_order }) => refund_order,
      'Số tiền (VND)': ({ amount }) => amount,
      'Trạng thái': ({ state }) => REFUND_WORDS[state],
      'Mã của MoMo': ({ result_code }) => result_code,
      'Khoản chuyển': ({ bank_transfer_id }) => bank_transfer_id,
      'Đơn nạp': ({ order_code }) => order_code,
      'Người chơi': ({ user }) => user?.username ?? null,
      'Lý do': ({ reason }) => reason,
      'Có kết quả lúc': ({ decided_at }) => csvMoment(decided_at),
    },
  })
}

export function registerOperatorClaims(api: Api, deps: BankInboxDeps): void {
  const { db } = deps
  api.serve(operatorClaims.get, ({ params }) => getOperatorClaim(db, params.id))
  api.serve(operatorClaims.answer, (call) => answerClaim(deps, call))
  api.serve(operatorClaims.picture, async ({ params: { id }, reply }) => {
    await sendPicture(reply, await getPicture(db, id), `yeu-cau-${id}`)
  })
}
