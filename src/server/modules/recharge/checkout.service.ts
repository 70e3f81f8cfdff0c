import { paths } from '#contract/pages.ts'
import {
  type CheckoutClient,
  type CheckoutOutcome,
  PROVIDER_CALL_MS_MAX,
  ProviderFailure,
  type Payments,
} from '#server/modules/payment-providers/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import type { PlanningDeps } from '#server/modules/order-purchases/index.ts'
import {
  leaseCheckout,
  leaseDueCheckout,
  listDueCheckouts,
  selectCheckout,
  updateCheckoutOpen,
  updateCheckoutOver,
  updateNextQuery,
  updateQueryDue,
  type Checkout,
} from './checkout.queries.ts'
import { closeUnpayableOrder } from './order-status.service.ts'
import { FIRST_QUERIES, queryDelaySeconds } from './query-delays.rules.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

export type { Checkout }

/** Creates new orders of that channel at its vendor; undefined where only our own QR is shown. */
export function checkoutClientFor({ payments }: RechargeDeps, channel: number): CheckoutClient | undefined {
  return payments.checkouts.find(({ channels }) => channels.includes(channel))
}

/** Undefined when the vendor is not configured any more. */
export function clientOf(
  { payments }: Pick<RechargeDeps, 'payments'>,
  { provider }: Checkout,
): CheckoutClient | undefined {
  return payments.checkouts.find((client) => client.provider === provider)
}

/**
 * Requests the order that was just placed from its vendor. Outside any transaction; the request is stored already.
 * Returns false when the order cannot be paid: then it is closed. Where players pay to our own account, our own QR stays
 * valid and the money arrives whatever goes wrong here.
 */
export async function openCheckout(
  deps: RechargeDeps,
  client: CheckoutClient,
  code: string,
): Promise<boolean> {
  const checkout = await selectCheckout(deps.db, code)
  if (checkout === undefined || checkout.state !== 'asked') return client.gateway === null
  const { provider } = client
  try {
    const made = await client.create({
      code,
      providerOrder: checkout.providerOrder,
      amountVnd: checkout.amount,
      account: { bin: checkout.bankBin, number: checkout.accountNumber },
      notificationUrl: `${deps.publicUrl}/api/webhooks/${provider}`,
      returnUrl: deps.publicUrl + paths.order(code),
    })
    await inTransaction(deps.db, (tx) => updateCheckoutOpen(tx, { orderId: checkout.orderId, ...made }))
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const facts = { event: 'checkout.failed', provider, orderCode: code, fault: error.kind, err: error }
    if (client.gateway === null) {
      deps.log.warn(facts, 'a vendor did not make an order; our own QR is paid without it')
      return true
    }
    deps.log.error(facts, 'a gateway did not make an order')
    // After no answer the order may exist there. Nobody knows its address, but it is queried until that is sure.
    const isSure = error.isUnsent || error.kind === 'refused'
    await closeOrder(deps, checkout, isSure ? 'failed' : null)
    return false
  }
}

/** Closes an order that cannot be paid, and ends its checkout unless that has to be queried further. */
async function closeOrder(
  { db }: Pick<RechargeDeps, 'db'>,
  { orderId }: Checkout,
  over: 'failed' | 'done' | null,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await closeUnpayableOrder(tx, orderId)
    if (over !== null) await updateCheckoutOver(tx, { orderId, state: over })
  })
}

/** Whether an order that was placed before can be paid. One that its vendor never finished making is closed here. */
export async function payabilityOf(
  deps: RechargeDeps,
  code: string,
): Promise<'payable' | 'being-made' | 'unpayable'> {
  const checkout = await selectCheckout(deps.db, code)
  if (checkout === undefined || checkout.payUrl !== null || !clientOf(deps, checkout)?.gateway)
    return 'payable'
  const isYoung = checkout.ageSeconds < MAKING_SECONDS
  if (checkout.orderStatus === 'pending' && checkout.state === 'asked') {
    if (isYoung) return 'being-made'
    await closeOrder(deps, checkout, null)
  }
  return 'unpayable'
}

/** A gateway's page is where its orders are paid. The page of a vendor that only watches our account is not shown. */
export async function findPayUrl(deps: RechargeDeps, code: string): Promise<string | null> {
  const checkout = await selectCheckout(deps.db, code)
  const isPaidThere = checkout?.state === 'open' && clientOf(deps, checkout)?.gateway
  return isPaidThere ? checkout.payUrl : null
}

const LAST_SECONDS = 86_400

/**
 * The same for an order; null when a day has gone by. A clock that jumped ahead makes everything a day old: so many queries
 * have to be made as well.
 */
function orderQueryDelaySeconds({ ageSeconds, queries }: Checkout): number | null {
  const delay = queryDelaySeconds(ageSeconds)
  return queries > FIRST_QUERIES && ageSeconds + delay > LAST_SECONDS ? null : delay
}

const LEASE_SECONDS = leaseSecondsFor({ calls: 1, timeoutMs: PROVIDER_CALL_MS_MAX })
const QUERIES_PER_ROUND = 20

/** Queries the orders that are due, one after the other; returns whether there may be more. */
export const queryDue = (
  deps: Pick<RechargeDeps, 'db' | 'log'>,
  query: (checkout: Checkout) => Promise<void>,
): Promise<boolean> =>
  workOff(deps, {
    job: 'recharge checkouts',
    limit: QUERIES_PER_ROUND,
    leaseSeconds: LEASE_SECONDS,
    list: listDueCheckouts,
    async work(orderId) {
      const code = await leaseDueCheckout(deps.db, orderId, LEASE_SECONDS)
      const checkout = code === undefined ? undefined : await selectCheckout(deps.db, code)
      if (checkout === undefined) return false
      await query(checkout)
      return true
    },
  })

const OPERATOR_PAUSE_SECONDS = 5

/** Leases an order's checkout to an operator who queries it now; false right after any other query. */
export const claimCheckoutNow = (tx: Tx, code: string): Promise<boolean> =>
  leaseCheckout(tx, { code, leaseSeconds: LEASE_SECONDS, pauseSeconds: OPERATOR_PAUSE_SECONDS })

/** The checkout of an order and whom to query about it; undefined when there is nobody. */
export async function findQueryable(
  deps: Pick<RechargeDeps, 'db' | 'payments'>,
  code: string,
): Promise<{ checkout: Checkout; client: CheckoutClient } | undefined> {
  const checkout = await selectCheckout(deps.db, code)
  const client = checkout && clientOf(deps, checkout)
  return client && { checkout, client }
}

/** Sets when an order is queried next; never again after a day, or when its vendor is not configured any more. */
export async function scheduleNextQuery(
  deps: Pick<RechargeDeps, 'db' | 'payments'>,
  checkout: Checkout,
): Promise<void> {
  const isQueryable = clientOf(deps, checkout) !== undefined
  const delaySeconds = isQueryable ? orderQueryDelaySeconds(checkout) : null
  await updateNextQuery(deps.db, { orderId: checkout.orderId, delaySeconds })
}

/** Does what follows from a vendor's answer about an order that was not over. */
export async function applyOutcome(
  deps: Pick<RechargeDeps, 'db' | 'payments' | 'clock'>,
  checkout: Checkout,
  state: CheckoutOutcome['state'],
): Promise<void> {
  const { orderId } = checkout
  if (state === 'paid')
    return inTransaction(deps.db, (tx) => updateCheckoutOver(tx, { orderId, state: 'done' }))
  if (state === 'failed') return closeOrder(deps, checkout, 'done')
  if (state === 'unknown' && checkout.state === 'asked') return closeOrder(deps, checkout, 'failed')
  return scheduleNextQuery(deps, checkout)
}

/** Makes the next query of an order due now, unless one was made within the pause. */
export async function hastenCheckout(db: Db, code: string, pauseSeconds: number): Promise<void> {
  await updateQueryDue(db, { code, pauseSeconds })
}

/** MoMo has half a minute to make an order, and a little more when it is busy; a repeat with the same key has to wait until then. */
const MAKING_SECONDS = 60

export type RechargeDeps = PlanningDeps & {
  /** The base of links in mails and of the webhooks' addresses. */
  publicUrl: string
  payments: Payments
  /** Null: there is no sandbox. Else its notifications go through the public webhook at this address. */
  sandbox: { portalUrl: string } | null
}
