import { listOrders, type RechargeOrder } from '#contract/recharge.ts'
import {
  expectRecharge,
  forgetExpectedRecharge,
  isRechargeExpected,
  reportToPixelLater,
} from '#web/parts/pixel/pixel.ts'
import { isGranted } from '#web/parts/pixel/consent.ts'
import { browserCall } from '#web/browser-call.ts'

const ORDERS_READ = 100

/** A player who was never credited is about to send money: from now on its arrival is reported, whenever the portal shows it. */
export async function expectFirstRecharge(playerId: string, code: string): Promise<void> {
  if (!isGranted() || isRechargeExpected(playerId)) return
  const orders = await readOrders()
  // The order that is shown may have been credited meanwhile; that still counts as the first recharge.
  if (orders?.every((order) => order.code === code || order.credited === 0)) expectRecharge(playerId)
}

/** Reports a player's first recharge to the advertiser's pixel, and nothing but that there was one. */
export async function reportFirstRecharge(playerId: string): Promise<void> {
  if (!isRechargeExpected(playerId)) return
  const orders = await readOrders()
  // Another tab, or a second call at the same time, may have reported it while the orders were read.
  if (!orders?.some(({ credited }) => credited > 0) || !isRechargeExpected(playerId)) return
  forgetExpectedRecharge()
  reportToPixelLater('Subscribe')
}

async function readOrders(): Promise<RechargeOrder[] | null> {
  try {
    return (await browserCall(listOrders, { query: { items_per_page: ORDERS_READ } })).data
  } catch {
    // A failed report to the advertiser is not shown to the player.
    return null
  }
}
