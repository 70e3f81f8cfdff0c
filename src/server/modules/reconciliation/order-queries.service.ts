import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorRechargeOrders } from '#contract/operator/recharge.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { takeInEvent } from '#server/modules/bank-inbox/index.ts'
import {
  ProviderFailure,
  type CheckoutClient,
  type CheckoutOutcome,
  type PulledRow,
} from '#server/modules/payment-providers/index.ts'
import {
  applyOutcome,
  claimCheckoutNow,
  clientOf,
  findQueryable,
  getOperatorOrder,
  queryDue,
  scheduleNextQuery,
  type Checkout,
} from '#server/modules/recharge/index.ts'
import { afterCommit } from '#server/platform/db/transaction.ts'
import { conflict, invariant } from '#server/platform/values/errors.ts'
import { isOverdue } from './daily-close.rules.ts'
import type { ReconciliationDeps } from './pull.service.ts'

export const queryDueCheckouts = (deps: ReconciliationDeps): Promise<boolean> =>
  queryDue(deps, (checkout) => queryCheckout(deps, checkout))

async function queryCheckout(deps: ReconciliationDeps, checkout: Checkout): Promise<void> {
  const client = clientOf(deps, checkout)
  if (client === undefined) return scheduleNextQuery(deps, checkout)
  await queryVendor(deps, checkout, client)
}

/** A vendor's answer about an order; `unanswered`: none came, and it is queried again at its time. */
type VendorAnswer = {
  state: CheckoutOutcome['state'] | 'unanswered'
  payments: number
  /** Payments that were not known. */
  found: number
}

/** Queries one leased order at its vendor, and does what follows from the answer. Outside any transaction. */
async function queryVendor(
  deps: ReconciliationDeps,
  checkout: Checkout,
  client: CheckoutClient,
): Promise<VendorAnswer> {
  const { code, provider, providerOrder, requestId, queries: attempt } = checkout
  try {
    const outcome = await client.find({ code, providerOrder, requestId, attempt })
    let found = 0
    for (const row of outcome.payments) if (await takeInFound(deps, { code, row })) found += 1
    // One that was over may have been paid since; nothing else follows.
    if (checkout.state === 'asked' || checkout.state === 'open')
      await applyOutcome(deps, checkout, outcome.state)
    return { state: outcome.state, payments: outcome.payments.length, found }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    // It is queried again at its time; until then the notification may come.
    deps.log.warn(
      { event: 'checkout.unanswered', provider, orderCode: code, fault: error.kind },
      'a vendor did not answer how an order stands',
    )
    await scheduleNextQuery(deps, checkout)
    return { state: 'unanswered', payments: 0, found: 0 }
  }
}

async function takeInFound(
  deps: ReconciliationDeps,
  { code, row }: { code: string; row: PulledRow },
): Promise<boolean> {
  if (!(await takeInEvent(deps, { ...row, signature: 'pulled' }))) return false
  const { provider, providerEventId, bookedAt } = row.event
  const facts = {
    event: 'reconciliation.found',
    provider,
    orderCode: code,
    providerEventIds: [providerEventId],
  }
  if (isOverdue(bookedAt, deps.clock.now()))
    deps.log.error({ ...facts, count: 1 }, 'a payment was found only by asking: notifications do not arrive')
  else deps.log.info(facts, 'a payment was found by asking before its notification came')
  return true
}

const noVendorToQuery = () =>
  conflict(
    'Không nhà cung cấp nào giữ đơn này: tiền đến thẳng tài khoản ngân hàng. Xem Hộp tiền vào, hoặc đọc lại sao kê ở Chốt ngày.',
  )

const queriedJustNow = () => conflict('Nhà cung cấp vừa được hỏi về đơn này. Vui lòng thử lại sau 5 giây.')

type Call = Parameters<typeof actAsOperator>[1] & { params: { code: string } }
type Query = AnswerOf<typeof operatorRechargeOrders.query>

/**
 * An operator queries a provider about an order. The query is committed first, with its audit row; the provider is called
 * after that, once for a key.
 */
export async function queryOrder(deps: ReconciliationDeps, call: Call): Promise<Query> {
  const { code } = call.params
  let isLeased = false
  const { provider } = await actAsOperator(deps, call, {
    action: 'recharge-orders.query',
    async prepare() {
      await getOperatorOrder(deps.db, code)
      const queryable = await findQueryable(deps, code)
      if (queryable === undefined) throw noVendorToQuery()
      return queryable.checkout
    },
    async work(tx, checkout) {
      if (!(await claimCheckoutNow(tx, code))) throw queriedJustNow()
      afterCommit('note the lease of a query', () => (isLeased = true))
      return {
        answer: { provider: checkout.provider },
        audit: {
          subject: { type: 'payment_order', id: code },
          details: { provider: checkout.provider, checkout: checkout.state, order: checkout.orderStatus },
        },
      }
    },
  })
  if (!isLeased) return { provider, state: null, payments: 0, found: 0 }
  const leased = await findQueryable(deps, code)
  invariant(leased, 'a checkout is never deleted, and its vendor was found before')
  return { provider, ...(await queryVendor(deps, leased.checkout, leased.client)) }
}
