import type { RawBuilder } from 'kysely'
import { formatNumber } from '#contract/format.ts'
import type { createOrderBody, OrderPurchase } from '#contract/recharge.ts'
import type * as z from 'zod/mini'
import { knownCharacter } from '#server/modules/game-bridge/index.ts'
import {
  fetchUnknownCharacters,
  offeredExchange,
  type PurchaseDeps,
  statusOf,
} from '#server/modules/purchases/index.ts'
import type { SettingValues } from '#server/modules/settings/index.ts'
import { assertMayTrade, lockTrader, type Trader } from '#server/modules/traders/index.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { notify } from '#server/domain/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { conflict, Refusal } from '#server/platform/values/errors.ts'
import {
  erasePurchasesOf,
  insertPurchase,
  orderByCode,
  orderById,
  purchasesOfPerson,
  selectIsWaiting,
  selectPurchaseOf,
  sumCountedOn,
  updateCancelled,
  updateDueWithNext,
  updateNotDue,
  type StoredPurchase,
} from './order-purchases.queries.ts'

// What orders buy once they are paid. Locks go order, wallet, what the order buys.

export type WantedPurchase = NonNullable<z.output<typeof createOrderBody>['purchase']>

export type PlannedPurchase = {
  character: { id: string; name: string }
  amount: number
  receive: number
  /** TCoin that the wallet lacks for it. */
  missing: number
}

/** Hours after the end of its order in which money still buys what it was meant for. */
const HOURS = 24

export type PlanningDeps = PurchaseDeps

/** Before the transaction: characters that were never fetched come from the game. */
export const prepareToPlan = (deps: PlanningDeps, userId: string): Promise<void> =>
  fetchUnknownCharacters(deps, userId)

type Planning = { player: Trader; settings: SettingValues; wanted: WantedPurchase; now: Date }

/**
 * Checks a purchase at the terms of now, as the exchange does, and says what the wallet lacks for it: what is owed is paid
 * first, and what other orders' purchases count on is left to them. The wallet is locked by the caller.
 */
export async function planPurchase(
  tx: Tx,
  { player, settings, wanted, now }: Planning,
): Promise<PlannedPurchase> {
  // The money that comes pays a debt first.
  assertMayTrade({ ...player, debt: 0 }, now)
  const { character } = await lockTrader(tx, player.id, {
    character: knownCharacter(player.id, wanted.character_id),
  })
  const shown = { amount: wanted.expected_amount, expected_receive: wanted.receive }
  const { amount, receive } = offeredExchange(settings, shown, 'purchase.expected_amount')
  if (!character) throw new Refusal('CHARACTER_NOT_FOUND')
  const free = Math.max(0, player.balance - (await sumCountedOn(tx, player.id)))
  const missing = amount + player.debt - free
  if (missing <= 0) throw enoughCoins(free)
  return { character, amount, receive, missing }
}

const enoughCoins = (coins: number) =>
  conflict(`Ví của bạn có ${formatNumber(coins)} TCoin, đủ để đổi ngay mà không cần nạp thêm`)

/** Of an order that was just written. */
export async function storePurchase(tx: Tx, code: string, planned: PlannedPurchase): Promise<OrderPurchase> {
  await insertPurchase(tx, { code, ...planned }, HOURS)
  const { character, amount, receive } = planned
  return {
    kind: 'exchange',
    state: 'waiting',
    character_id: character.id,
    character_name: character.name,
    receive,
    amount,
    delivery: null,
  }
}

/** What an order buys, as a value of a statement that reads orders, for `describePurchase`. */
export const purchaseOf = (orderId: RawBuilder<string>) => selectPurchaseOf(orderId)

/** Whether money for an order buys something, as a value of a statement that reads orders. */
export const isPurchaseWaiting = (orderId: RawBuilder<string>) => selectIsWaiting(orderId)

export function describePurchase(stored: StoredPurchase | null): OrderPurchase | null {
  if (stored === null) return null
  const { reason, delivery_id: id, delivery_state: state, ...purchase } = stored
  return {
    kind: 'exchange',
    ...purchase,
    ...(reason === null ? {} : { reason }),
    delivery: id === null ? null : { id, status: statusOf(state as Parameters<typeof statusOf>[0]) },
  }
}

/** The order's money is credited, in this transaction: a worker buys after its commit. */
export async function makePurchaseDue(tx: Tx, orderId: string): Promise<void> {
  await updateDueWithNext(tx, orderId)
  notify(tx, 'order_purchase_due')
}

/** The credit of a locked order was reversed. What is bought stays bought. */
export async function reopenPurchase(tx: Tx, orderId: string, status: 'review' | 'cancelled'): Promise<void> {
  if (status === 'review') await updateNotDue(tx, orderId)
  else await updateCancelled(tx, orderById(orderId))
}

/** An order was cancelled: should its money come all the same, it stays in the wallet. */
export const cancelPurchase = (tx: Tx, code: string): Promise<void> => updateCancelled(tx, orderByCode(code))

export const personalOrderPurchases: PersonalPart = {
  lists: { order_purchases: purchasesOfPerson },
  erase: (tx, { id }) => erasePurchasesOf(tx, id),
}
