import {
  operatorBankTransfers,
  operatorPaymentEvents,
  settleDebtCall,
} from '#contract/operator/bank-transfers.ts'
import type { Api, UserCall } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import type { Asked } from './acting.service.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import { creditPlayer, ignoreTransfer, markRefunded, matchTransfer } from './bank-transfers.service.ts'
import { refundAtGateway } from './gateway-refunds.service.ts'
import { getTransfer, listTransfers } from './inbox.service.ts'
import { acceptEvent, dismissEvent, listEvents } from './payment-events.service.ts'
import { approveProposal, rejectProposal, withdrawProposal } from './proposals.service.ts'
import { linkReversal, reverseCredit, settleDebtOf } from './reversals.service.ts'

type ActCall<Body> = Pick<UserCall<never>, 'identity' | 'request' | 'key' | 'overLimit'> & {
  params: { id: string }
  body: Body
}

const askedBy = <Body extends { reason: string }>(call: ActCall<Body>): Asked<Body> => ({
  id: call.params.id,
  body: call.body,
  operator: {
    id: call.identity.userId,
    permissions: call.identity.permissions,
    requestId: call.request.id,
  },
  key: call.key,
  overLimit: call.overLimit,
})

export function registerBankTransfers(api: Api, deps: BankInboxDeps): void {
  const { db } = deps
  const transfers = operatorBankTransfers
  api.serve(transfers.list, async ({ query, reply }) => {
    const page = readList(query, ['created_at', 'ASC'])
    const answer = await listTransfers(deps, page.filter, page)
    return listAnswer(reply, 'bank-transfers', { page, ...answer, isGrowing: true })
  })
  api.serve(transfers.get, ({ params }) => getTransfer(deps, params.id))
  api.serve(transfers.match, (call) => matchTransfer(deps, askedBy(call)))
  api.serve(transfers.credit, (call) => creditPlayer(deps, askedBy(call)))
  api.serve(transfers.refund, (call) => markRefunded(deps, askedBy(call)))
  api.serve(transfers.refundAtGateway, (call) => refundAtGateway(deps, askedBy(call)))
  api.serve(transfers.ignore, (call) => ignoreTransfer(deps, askedBy(call)))
  api.serve(transfers.linkReversal, (call) => linkReversal(deps, askedBy(call)))
  api.serve(transfers.reverseCredit, (call) => reverseCredit(deps, askedBy(call)))
  api.serve(transfers.approve, (call) => approveProposal(deps, askedBy(call)))
  api.serve(transfers.reject, (call) => rejectProposal(deps, askedBy(call)))
  api.serve(transfers.withdraw, (call) => withdrawProposal(deps, askedBy(call)))

  const events = operatorPaymentEvents
  api.serve(events.list, async ({ query, reply }) => {
    const page = readList(query, ['id', 'ASC'])
    const answer = await listEvents(db, page.filter, page)
    return listAnswer(reply, 'payment-events', { page, ...answer, isGrowing: true })
  })
  api.serve(events.accept, (call) => acceptEvent(deps, askedBy(call)))
  api.serve(events.dismiss, (call) => dismissEvent(deps, askedBy(call)))
  api.serve(settleDebtCall, (call) => settleDebtOf(deps, askedBy(call)))
}
