import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorRechargeOrders } from '#contract/operator/recharge.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { claimCheckoutNow, clientOf, findCheckout, getOperatorOrder } from '#server/modules/recharge/index.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { askVendor } from './asked-orders.service.ts'
import type { ReconciliationDeps } from './pull.service.ts'

const nobodyToAsk = () =>
  new Refusal('CONFLICT', {
    message:
      'Không nhà cung cấp nào giữ đơn này: tiền đến thẳng tài khoản ngân hàng. Xem Hộp tiền vào, hoặc đọc lại sao kê ở Chốt ngày.',
  })

const askedJustNow = () =>
  new Refusal('CONFLICT', { message: 'Nhà cung cấp vừa được hỏi về đơn này. Vui lòng thử lại sau 5 giây.' })

/** As long as a worker's: nobody else asks meanwhile. */
const LEASE_SECONDS = 60
const PAUSE_SECONDS = 5

type Call = Parameters<typeof actAsOperator>[1] & { params: { code: string } }
type Query = AnswerOf<typeof operatorRechargeOrders.query>

/**
 * An operator asks a provider how an order stands. That it is asked is committed first, with the line in the trail; the
 * provider is asked after that, once for a key.
 */
export async function queryOrder(deps: ReconciliationDeps, call: Call): Promise<Query> {
  const { code } = call.params
  let isAsking = false
  const { provider } = await actAsOperator(deps, call, {
    action: 'recharge-orders.query',
    async prepare() {
      await getOperatorOrder(deps.db, code)
      const checkout = await findCheckout(deps.db, code)
      if (checkout === undefined || clientOf(deps, checkout) === undefined) throw nobodyToAsk()
      return checkout
    },
    async work(tx, checkout) {
      if (!(await claimCheckoutNow(tx, { code, leaseSeconds: LEASE_SECONDS, pauseSeconds: PAUSE_SECONDS })))
        throw askedJustNow()
      isAsking = true
      return {
        answer: { provider: checkout.provider },
        audit: {
          subject: { type: 'payment_order', id: code },
          details: { provider: checkout.provider, checkout: checkout.state, order: checkout.orderStatus },
        },
      }
    },
  })
  if (!isAsking) return { provider, state: null, payments: 0, found: 0 }
  const leased = await findCheckout(deps.db, code)
  invariant(leased, 'a checkout is never deleted')
  const client = clientOf(deps, leased)
  invariant(client, 'whoever was found to ask is there')
  return { provider, ...(await askVendor(deps, leased, client)) }
}
