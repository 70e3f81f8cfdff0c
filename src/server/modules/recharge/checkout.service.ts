import { CHANNEL_MOMO } from '#contract/constants.ts'
import { paths } from '#contract/pages.ts'
import { ProviderFailure } from '#server/modules/payment-providers/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  closeUnpayableOrder,
  findCheckout,
  hastenCheckout,
  markCheckoutOpen,
  markCheckoutOver,
  type Checkout,
  type CheckoutProvider,
} from './checkout.queries.ts'
import { MAKING_MS } from './checkout.rules.ts'
import type { RechargeDeps } from './recharge-deps.ts'

/** Who is asked to keep an order of that channel; null: our own QR is all there is. */
export function checkoutProvider({ paymentClients }: RechargeDeps, channel: number): CheckoutProvider | null {
  if (channel === CHANNEL_MOMO) return paymentClients.momoMerchant !== null ? 'momo' : null
  return paymentClients.payos === null ? null : 'payos'
}

/**
 * Asks MoMo to make the order that was just placed. Outside any transaction; what was asked is noted already. Answers
 * false when the order cannot be paid: then it is closed.
 */
export async function openMomoCheckout(deps: RechargeDeps, code: string): Promise<boolean> {
  const checkout = await findCheckout(deps.db, code)
  const { momo } = deps.paymentClients
  if (checkout === undefined || momo === null) return false
  try {
    const { payUrl, qr } = await momo.create({
      code,
      amountVnd: checkout.amount,
      ipnUrl: `${deps.publicUrl}/api/webhooks/momo`,
      redirectUrl: deps.publicUrl + paths.order(code),
    })
    await inTransaction(deps.db, (tx) =>
      // Without a QR of MoMo's own the address itself is one: a phone's camera opens it.
      markCheckoutOpen(tx, { orderId: checkout.orderId, payUrl, qr: qr || payUrl }),
    )
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    deps.log.error(
      { event: 'checkout.failed', provider: 'momo', code, fault: error.kind, err: error },
      'MoMo did not make an order',
    )
    // After no answer the order may exist there. Nobody knows its address, but it is asked about until that is sure.
    const isSure = error.isUnsent || error.kind === 'refused'
    await giveUp(deps, checkout, isSure)
    return false
  }
}

async function giveUp(deps: RechargeDeps, { orderId }: Checkout, isSure: boolean): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await closeUnpayableOrder(tx, orderId)
    if (isSure) await markCheckoutOver(tx, { orderId, state: 'failed' })
  })
}

export type CheckoutStanding = 'payable' | 'being-made' | 'unpayable'

/** How an order stands whose making was asked for before. One that was never finished is closed here. */
export async function standingOf(deps: RechargeDeps, code: string): Promise<CheckoutStanding> {
  const checkout = await findCheckout(deps.db, code)
  if (checkout === undefined || checkout.provider !== 'momo' || checkout.payUrl !== null) return 'payable'
  const isYoung = deps.clock.now().getTime() - checkout.createdAt.getTime() < MAKING_MS
  if (checkout.orderStatus === 'pending' && checkout.state === 'asked') {
    if (isYoung) return 'being-made'
    await giveUp(deps, checkout, false)
  }
  return 'unpayable'
}

/** payOS' address is not shown: its page is another shop's. MoMo's opens the app. */
export async function findPayUrl(deps: RechargeDeps, code: string): Promise<string | null> {
  const checkout = await findCheckout(deps.db, code)
  return checkout?.provider === 'momo' && checkout.state === 'open' ? checkout.payUrl : null
}

const HASTE_PAUSE_SECONDS = 30

/** The player has come back, or MoMo has said that something is about to happen. */
export async function askSoon(deps: RechargeDeps, code: string): Promise<void> {
  await hastenCheckout(deps.db, { code, pauseSeconds: HASTE_PAUSE_SECONDS })
}

/** MoMo itself says that there is something to ask about. */
export async function askNow({ db }: Pick<RechargeDeps, 'db'>, code: string): Promise<void> {
  await hastenCheckout(db, { code, pauseSeconds: 0 })
}

/**
 * Asks payOS to keep an order too. At best its QR is shown, which payOS recognises by itself; whatever goes wrong, our
 * own QR stands and the money arrives all the same.
 */
export async function openPayosCheckout(
  deps: RechargeDeps,
  { code, account }: { code: string; account: { bin: string; number: string } },
): Promise<void> {
  const checkout = await findCheckout(deps.db, code)
  const { payos } = deps.paymentClients
  if (checkout === undefined || checkout.state !== 'asked' || payos === null) return
  try {
    const made = await payos.create({
      orderCode: Number(checkout.providerOrder),
      amountVnd: checkout.amount,
      description: code,
      returnUrl: deps.publicUrl + paths.order(code),
      cancelUrl: deps.publicUrl + paths.order(code),
    })
    // Another account than the order's would make the transfer one that came astray.
    const isOurs = made.bin === account.bin && made.accountNumber === account.number
    await inTransaction(deps.db, (tx) =>
      markCheckoutOpen(tx, {
        orderId: checkout.orderId,
        payUrl: made.checkoutUrl,
        qr: isOurs ? made.qr : null,
      }),
    )
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    deps.log.warn(
      { event: 'checkout.failed', provider: 'payos', code, fault: error.kind },
      'payOS did not make an order; ours is paid without it',
    )
  }
}
