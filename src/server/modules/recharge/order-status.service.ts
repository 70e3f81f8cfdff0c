import { parseCoins } from '#server/domain/coins.ts'
import { cancelPurchase, makePurchaseDue, reopenPurchase } from '#server/modules/order-purchases/index.ts'
import { grantBonus, releaseBonus, reverseBonus } from '#server/modules/promotions/index.ts'
import { notify } from '#server/domain/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { OrderStatus } from './order.rules.ts'
import {
  lockOrderRow,
  lockOrderRowById,
  lockOrderRowWithNext,
  payerOf,
  updateCancelled,
  updateCancelledFrom,
  updateExpired,
  updateInReview,
  updatePaidWithNext,
  updateReopened,
  type LockedRow,
  type OrderOfPlayer,
} from './recharge.queries.ts'

// Locks and changes of orders. After the commit the watchers of each changed order are notified.

export type LockedOrder = ReturnType<typeof toLockedOrder>

export async function lockOrder(tx: Tx, code: string): Promise<LockedOrder | undefined> {
  const row = await lockOrderRow(tx, code)
  return row && toLockedOrder(row)
}

/**
 * The order is there with the result of the next statement; read earlier it throws. `payer` is whose order it is, as a
 * value for that statement; who placed an order never changes.
 */
export async function lockOrderWithNext(tx: Tx, code: string) {
  const rows = await lockOrderRowWithNext(tx, code)
  return {
    payer: payerOf(code),
    order: () => {
      const [order] = rows()
      return order && toLockedOrder(order)
    },
  }
}

export async function lockOrderById(tx: Tx, id: string): Promise<void> {
  await lockOrderRowById(tx, id)
}

function toLockedOrder({ amount, ...order }: LockedRow) {
  return {
    ...order,
    amountVnd: parseCoins(amount),
    rate: parseCoins(order.rate),
    credited: parseCoins(order.credited),
  }
}

/** Of a locked order. */
export async function markOrderPaid(
  tx: Tx,
  paid: {
    id: string
    code: string
    status: Extract<OrderStatus, `paid${string}`>
    coins: number
    /** Whether it buys something. */
    buys: boolean
  },
): Promise<void> {
  await updatePaidWithNext(tx, paid)
  if (paid.buys) await makePurchaseDue(tx, paid.id)
  notify(tx, 'recharge_order', paid.code)
}

export async function markOrderInReview(tx: Tx, orderId: string): Promise<void> {
  notifyWatchers(tx, await updateInReview(tx, orderId))
}

/** Closes a pending order that cannot be paid. */
export async function closeUnpayableOrder(tx: Tx, orderId: string): Promise<void> {
  await afterCancelling(tx, await updateCancelledFrom(tx, orderId, 'pending'))
}

/** Closes a locked order that waited for a decision about money, when the decision was for something else. */
export async function closeOrderInReview(tx: Tx, orderId: string): Promise<void> {
  await afterCancelling(tx, await updateCancelledFrom(tx, orderId, 'review'))
}

type Bonus = Parameters<typeof grantBonus>[1]

/** Gives what an order that is paid was promised besides its TCoin, in the transaction that credits those; null: nothing. */
export async function giveBonus(tx: Tx, bonus: Bonus & { order: { hasBonus: boolean } }) {
  return bonus.order.hasBonus ? grantBonus(tx, bonus) : null
}

type Reopened = Omit<Parameters<typeof reverseBonus>[1], 'isDecidedAgain'> & {
  status: 'review' | 'cancelled'
}

/**
 * Nothing is credited to the order any more, and its bonus is taken back; with a new decision about the money it is given
 * again. Answers the TCoin of the bonus, and those that were lent for it.
 */
export async function reopenOrder(tx: Tx, { status, ...reopened }: Reopened) {
  const bonus = await reverseBonus(tx, { ...reopened, isDecidedAgain: status === 'review' })
  await reopenPurchase(tx, reopened.orderId, status)
  notifyWatchers(tx, await updateReopened(tx, reopened.orderId, status))
  return bonus
}

/** False when the player has no such order that still waits for money. */
export async function markCancelled(tx: Tx, order: OrderOfPlayer): Promise<boolean> {
  const cancelled = await updateCancelled(tx, order)
  await afterCancelling(tx, cancelled)
  return cancelled.length > 0
}

/** Marks those of these orders whose time has run out; returns how many. */
export async function markExpired(tx: Tx, ids: readonly string[]): Promise<number> {
  const expired = await updateExpired(tx, ids)
  notifyWatchers(tx, expired)
  return expired.length
}

/** What a cancelled order was promised is not given any more, and it buys nothing. */
async function afterCancelling(tx: Tx, codes: readonly string[]): Promise<void> {
  for (const code of codes) {
    await releaseBonus(tx, code)
    await cancelPurchase(tx, code)
  }
  notifyWatchers(tx, codes)
}

function notifyWatchers(tx: Tx, codes: readonly string[]): void {
  for (const code of codes) notify(tx, 'recharge_order', code)
}
