import { takeInEvent } from '#server/modules/bank-inbox/index.ts'
import {
  ProviderFailure,
  type CheckoutOutcome,
  type PulledRow,
} from '#server/modules/payment-providers/index.ts'
import {
  claimDueCheckout,
  clientOf,
  closeUnpayableOrder,
  markCheckoutOver,
  nextOrderQueryAt,
  scheduleCheckout,
  type Checkout,
} from '#server/modules/recharge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { isOverdue } from './pull.rules.ts'
import type { ReconciliationDeps } from './pull.service.ts'

const LEASE_SECONDS = 60
const ASKED_PER_ROUND = 20

/** Asks about the orders whose time has come, one after the other; answers whether there may be more. */
export async function askDueCheckouts(deps: ReconciliationDeps): Promise<boolean> {
  for (let count = 0; count < ASKED_PER_ROUND; count += 1) {
    const checkout = await claimDueCheckout(deps.db, LEASE_SECONDS)
    if (checkout === undefined) return false
    await ask(deps, checkout)
  }
  return true
}

async function ask(deps: ReconciliationDeps, checkout: Checkout): Promise<void> {
  const { code, provider, providerOrder, requestId, queries: attempt, orderId } = checkout
  const client = clientOf(deps, checkout)
  // Nobody can be asked any more.
  if (client === undefined) return scheduleCheckout(deps.db, { orderId, at: null })
  try {
    const outcome = await client.find({ code, providerOrder, requestId, attempt })
    for (const row of outcome.payments) await takeInFound(deps, { code, row })
    await conclude(deps, checkout, outcome)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    // It is asked again at its time; until then the notification may come.
    deps.log.warn(
      { event: 'checkout.unanswered', provider, orderCode: code, fault: error.kind },
      'a vendor did not answer how an order stands',
    )
    await askAgain(deps, checkout)
  }
}

async function conclude(
  deps: ReconciliationDeps,
  checkout: Checkout,
  { state }: CheckoutOutcome,
): Promise<void> {
  const { orderId } = checkout
  if (state === 'paid')
    return inTransaction(deps.db, (tx) => markCheckoutOver(tx, { orderId, state: 'done' }))
  const isGone = state === 'failed' || (state === 'unknown' && checkout.state === 'asked')
  if (!isGone) return askAgain(deps, checkout)
  return inTransaction(deps.db, async (tx) => {
    await closeUnpayableOrder(tx, orderId)
    await markCheckoutOver(tx, { orderId, state: state === 'failed' ? 'done' : 'failed' })
  })
}

function askAgain(deps: ReconciliationDeps, { orderId, createdAt }: Checkout): Promise<void> {
  return scheduleCheckout(deps.db, { orderId, at: nextOrderQueryAt(createdAt, deps.clock.now()) })
}

async function takeInFound(
  deps: ReconciliationDeps,
  { code, row }: { code: string; row: PulledRow },
): Promise<void> {
  if (!(await takeInEvent(deps, { ...row, signature: 'pulled' }))) return
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
}
