import { takeInPulled } from '#server/modules/bank-inbox/index.ts'
import { ProviderFailure, type PulledRow } from '#server/modules/payment-providers/index.ts'
import {
  claimDueCheckout,
  closeUnpayableOrder,
  markCheckoutOver,
  nextQueryAt,
  scheduleCheckout,
  type Checkout,
} from '#server/modules/recharge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
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
  try {
    await (checkout.provider === 'momo' ? askMomo(deps, checkout) : askPayos(deps, checkout))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    // It is asked again at its time; until then the notification may come.
    deps.log.warn(
      { event: 'checkout.unanswered', provider: checkout.provider, code: checkout.code, fault: error.kind },
      'a provider did not say how an order stands',
    )
    await askAgain(deps, checkout)
  }
}

function askAgain(deps: ReconciliationDeps, { orderId, createdAt }: Checkout): Promise<void> {
  return scheduleCheckout(deps.db, { orderId, at: nextQueryAt(createdAt, deps.clock.now()) })
}

async function askMomo(deps: ReconciliationDeps, checkout: Checkout): Promise<void> {
  const { momo } = deps.paymentClients
  // The keys were taken away: nobody can be asked any more.
  if (momo === null) return scheduleCheckout(deps.db, { orderId: checkout.orderId, at: null })
  const { code, requestId, queries, orderId, state } = checkout
  const outcome = await momo.query({ code, requestId, queryId: `${code}Q${queries}` })
  if (outcome.kind === 'paid') {
    await takeInFound(deps, { code, row: outcome })
    return inTransaction(deps.db, (tx) => markCheckoutOver(tx, { orderId, state: 'done' }))
  }
  const isGone = outcome.kind === 'failed' || (outcome.kind === 'unknown-order' && state === 'asked')
  if (!isGone) return askAgain(deps, checkout)
  return inTransaction(deps.db, async (tx) => {
    await closeUnpayableOrder(tx, orderId)
    await markCheckoutOver(tx, { orderId, state: outcome.kind === 'failed' ? 'done' : 'failed' })
  })
}

async function askPayos(deps: ReconciliationDeps, checkout: Checkout): Promise<void> {
  const { payos } = deps.paymentClients
  if (payos === null) return scheduleCheckout(deps.db, { orderId: checkout.orderId, at: null })
  const { code, providerOrder, orderId } = checkout
  const outcome = await payos.get(Number(providerOrder))
  for (const row of outcome.rows) await takeInFound(deps, { code, row })
  if (outcome.isPaid) return inTransaction(deps.db, (tx) => markCheckoutOver(tx, { orderId, state: 'done' }))
  return askAgain(deps, checkout)
}

/** A notification may be on its way; what is older than this should have come. */
const NOTICE_GRACE_MS = 120_000

async function takeInFound(
  deps: ReconciliationDeps,
  { code, row }: { code: string; row: PulledRow },
): Promise<void> {
  if (!(await takeInPulled(deps, row))) return
  const { provider, providerEventId, bookedAt } = row.event
  const facts = { event: 'reconciliation.found', provider, code, providerEventIds: [providerEventId] }
  if (deps.clock.now().getTime() - bookedAt.getTime() > NOTICE_GRACE_MS)
    deps.log.error({ ...facts, count: 1 }, 'a payment was found only by asking: notifications do not arrive')
  else deps.log.info(facts, 'a payment was found by asking before its notification came')
}
