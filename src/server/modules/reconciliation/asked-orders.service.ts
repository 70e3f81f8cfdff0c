import { takeInEvent } from '#server/modules/bank-inbox/index.ts'
import {
  ProviderFailure,
  type CheckoutClient,
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
import { isOverdue } from './daily-close.rules.ts'
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
  const client = clientOf(deps, checkout)
  // Nobody can be asked any more.
  if (client === undefined) return scheduleCheckout(deps.db, { orderId: checkout.orderId, at: null })
  await askVendor(deps, checkout, client)
}

/** What a vendor says of an order; `unanswered`: nothing, and it is asked again at its time. */
export type Said = {
  state: CheckoutOutcome['state'] | 'unanswered'
  payments: number
  /** Payments that were not known. */
  found: number
}

/** Asks about one order that is leased, and does what follows from the answer. Outside any transaction. */
export async function askVendor(
  deps: ReconciliationDeps,
  checkout: Checkout,
  client: CheckoutClient,
): Promise<Said> {
  const { code, provider, providerOrder, requestId, queries: attempt } = checkout
  try {
    const outcome = await client.find({ code, providerOrder, requestId, attempt })
    let found = 0
    for (const row of outcome.payments) if (await takeInFound(deps, { code, row })) found += 1
    // One that was over may have been paid since; nothing else follows.
    if (checkout.state === 'asked' || checkout.state === 'open') await conclude(deps, checkout, outcome)
    return { state: outcome.state, payments: outcome.payments.length, found }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    // It is asked again at its time; until then the notification may come.
    deps.log.warn(
      { event: 'checkout.unanswered', provider, orderCode: code, fault: error.kind },
      'a vendor did not answer how an order stands',
    )
    await askAgain(deps, checkout)
    return { state: 'unanswered', payments: 0, found: 0 }
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
