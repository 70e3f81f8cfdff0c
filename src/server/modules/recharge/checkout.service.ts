import { paths } from '#contract/pages.ts'
import {
  type CheckoutClient,
  ProviderFailure,
  type Payments,
} from '#server/modules/payment-providers/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Checkout, findCheckout, markCheckoutOpen, markCheckoutOver } from './checkout.queries.ts'
import { closeUnpayableOrder } from './recharge.queries.ts'

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
 * Asks the vendor to make the order that was just placed. Outside any transaction; what was asked is noted already.
 * Returns false when the order cannot be paid: then it is closed. Where players pay to our own account, our own QR stays
 * valid and the money arrives whatever goes wrong here.
 */
export async function openCheckout(
  deps: RechargeDeps,
  client: CheckoutClient,
  code: string,
): Promise<boolean> {
  const checkout = await findCheckout(deps.db, code)
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
    await inTransaction(deps.db, (tx) => markCheckoutOpen(tx, { orderId: checkout.orderId, ...made }))
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const facts = { event: 'checkout.failed', provider, orderCode: code, fault: error.kind, err: error }
    if (client.gateway === null) {
      deps.log.warn(facts, 'a vendor did not make an order; our own QR is paid without it')
      return true
    }
    deps.log.error(facts, 'a gateway did not make an order')
    // After no answer the order may exist there. Nobody knows its address, but it is asked about until that is sure.
    const isSure = error.isUnsent || error.kind === 'refused'
    await closeOrder(deps, checkout, isSure)
    return false
  }
}

async function closeOrder(deps: RechargeDeps, { orderId }: Checkout, isSure: boolean): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await closeUnpayableOrder(tx, orderId)
    if (isSure) await markCheckoutOver(tx, { orderId, state: 'failed' })
  })
}

/** Whether an order that was placed before can be paid. One that its vendor never finished making is closed here. */
export async function payabilityOf(
  deps: RechargeDeps,
  code: string,
): Promise<'payable' | 'being-made' | 'unpayable'> {
  const checkout = await findCheckout(deps.db, code)
  if (checkout === undefined || checkout.payUrl !== null || !clientOf(deps, checkout)?.gateway)
    return 'payable'
  const isYoung = deps.clock.now().getTime() - checkout.createdAt.getTime() < MAKING_MS
  if (checkout.orderStatus === 'pending' && checkout.state === 'asked') {
    if (isYoung) return 'being-made'
    await closeOrder(deps, checkout, false)
  }
  return 'unpayable'
}

/** A gateway's page is where its orders are paid. The page of a vendor that only watches our account is not shown. */
export async function findPayUrl(deps: RechargeDeps, code: string): Promise<string | null> {
  const checkout = await findCheckout(deps.db, code)
  const isPaidThere = checkout?.state === 'open' && clientOf(deps, checkout)?.gateway
  return isPaidThere ? checkout.payUrl : null
}

const MINUTE_MS = 60_000
/** After this many minutes a vendor is asked about what it has not decided; then every hour. */
const FIRST_MINUTES = [1, 3, 10, 30]
const LAST_MINUTES = 24 * 60

/** When to ask next about what was begun at a moment. */
export function nextQueryAt(startedAt: Date, now: Date): Date {
  const minutesGone = (now.getTime() - startedAt.getTime()) / MINUTE_MS
  const minutes = FIRST_MINUTES.find((each) => each > minutesGone) ?? (Math.floor(minutesGone / 60) + 1) * 60
  return new Date(startedAt.getTime() + minutes * MINUTE_MS)
}

/** When to ask about an order next; null when a day has gone by. */
export function nextOrderQueryAt(createdAt: Date, now: Date): Date | null {
  const next = nextQueryAt(createdAt, now)
  return next.getTime() - createdAt.getTime() > LAST_MINUTES * MINUTE_MS ? null : next
}

/** MoMo is given half a minute to make an order, and a little more when it is busy; who asks again by the same key before that is asked to wait. */
const MAKING_MS = 60_000

export type RechargeDeps = PlatformDeps & {
  /** The base of links in mails and of the webhooks' addresses. */
  publicUrl: string
  payments: Payments
  /** Null: there is no sandbox. Else its notifications go through the public webhook at this address. */
  sandbox: { portalUrl: string } | null
}
