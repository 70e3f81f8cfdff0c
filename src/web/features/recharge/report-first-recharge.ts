import { listOrders, type RechargeOrder } from '#contract/recharge.ts'
import { browserCall } from '#web/browser-call.ts'
import { awaitRecharge, forgetAwaitedRecharge, isRechargeAwaited } from '#web/parts/pixel/awaited-recharge.ts'
import { isGranted } from '#web/parts/pixel/consent.ts'
import { reportToPixelLater } from '#web/parts/pixel/pixel.ts'

const ORDERS_LOOKED_AT = 100

/** A player who was never credited is about to send money: from now on its arrival is reported, whenever it is seen. */
export async function awaitFirstRecharge(playerId: string, code: string): Promise<void> {
  if (!isGranted() || isRechargeAwaited(playerId)) return
  const orders = await readOrders()
  // The order that is shown may have been credited meanwhile; that still counts as the first recharge.
  if (orders?.every((order) => order.code === code || order.credited === 0)) awaitRecharge(playerId)
}

/** Reports a player's first recharge to the advertiser's pixel, and nothing but that there was one. */
export async function reportFirstRecharge(playerId: string): Promise<void> {
  if (!isRechargeAwaited(playerId)) return
  const orders = await readOrders()
  // Another tab, or a second call at the same time, may have reported it while the orders were read.
  if (!orders?.some(({ credited }) => credited > 0) || !isRechargeAwaited(playerId)) return
  forgetAwaitedRecharge()
  reportToPixelLater('Subscribe')
}

async function readOrders(): Promise<RechargeOrder[] | null> {
  try {
    return (await browserCall(listOrders, { query: { items_per_page: ORDERS_LOOKED_AT } })).data
  } catch {
    // A failed report to the advertiser is not shown to the player.
    return null
  }
}
