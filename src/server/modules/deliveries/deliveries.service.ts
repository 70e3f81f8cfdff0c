import { randomUUID } from 'node:crypto'
import type { Delivery, Good } from '#contract/deliveries.ts'
import { findTrader, type Trader } from '#server/modules/accounts/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/invariant.ts'
import {
  countDeliveries,
  insertDelivery,
  notifyDeliveryChanged,
  notifyDeliveryDue,
  selectDeliveries,
  voidGift,
  type DeliveryKind,
  type HeldDelivery,
} from './deliveries.queries.ts'
import { statusOf } from './deliveries.rules.ts'

export type Hold = {
  kind: DeliveryKind
  /** Locked by the caller. */
  trader: Trader
  amount: number
  character: { id: string; name: string; serverId: string }
  goods: readonly Good[]
  requestId: string
}

/**
 * The buying half of a purchase, inside its transaction: the coins wait in `delivery_hold`, and everything promised is
 * written down under the id that the game will know it by. Throws INSUFFICIENT_BALANCE.
 */
export async function holdForDelivery(tx: Tx, hold: Hold): Promise<{ id: string; balance: number }> {
  const { kind, trader, amount, character } = hold
  const id = randomUUID()
  const posted = await postTransfer(tx, {
    kind: `${kind}_hold`,
    debit: trader.walletId,
    credit: HOUSE.deliveryHold,
    amount,
    source: { type: 'delivery', id },
    actorUserId: trader.id,
    requestId: hold.requestId,
  })
  await insertDelivery(tx, {
    id,
    kind,
    userId: trader.id,
    amount,
    serverId: character.serverId,
    account: trader.username.toLowerCase(),
    characterId: character.id,
    characterName: character.name,
    goods: hold.goods,
  })
  await notifyDeliveryDue(tx)
  return { id, balance: posted.debitBalance }
}

type Actor = { actorOperatorId?: string; requestId?: string }

/** The goods arrived: the coins are ours. The delivery's row was locked and ended by the caller. */
export async function settleHold(tx: Tx, held: HeldDelivery, actor: Actor = {}): Promise<void> {
  await postTransfer(tx, {
    kind: `${held.kind}_settle`,
    debit: HOUSE.deliveryHold,
    credit: HOUSE.revenue,
    amount: held.amount,
    source: { type: 'delivery', id: held.id },
    ...actor,
  })
  await notifyDeliveryChanged(tx, held.userId)
}

/** The goods will never arrive: the coins go back. The delivery's row was locked and ended by the caller. */
export async function refundHold(tx: Tx, held: HeldDelivery, actor: Actor = {}): Promise<void> {
  const owner = await findTrader(tx, held.userId)
  invariant(owner, 'a delivery belongs to a player with a wallet')
  await postTransfer(tx, {
    kind: `${held.kind}_refund`,
    debit: HOUSE.deliveryHold,
    credit: owner.walletId,
    amount: held.amount,
    source: { type: 'delivery', id: held.id },
    ...actor,
  })
  if (held.kind === 'gift') await voidGift(tx, held.id)
  await notifyDeliveryChanged(tx, held.userId)
}

const PAGE_ROWS = 20

type Page = { page?: number | undefined; items_per_page?: number | undefined }

/** The player's purchases, the newest first. */
export async function listDeliveries(db: Db, userId: string, wanted: Page) {
  const { page = 1, items_per_page: rows = PAGE_ROWS } = wanted
  const total = await countDeliveries(db, userId)
  const deliveries = await selectDeliveries(db, userId, { limit: rows, offset: (page - 1) * rows })
  return {
    data: deliveries.map((delivery): Delivery => ({
      id: delivery.id,
      kind: delivery.kind,
      character_name: delivery.characterName,
      goods: delivery.goods,
      amount: delivery.amount,
      status: statusOf(delivery.state),
      created_at: delivery.createdAt.toISOString(),
      settled_at: delivery.settledAt?.toISOString() ?? null,
    })),
    payload: {
      pagination: { page, items_per_page: rows, total, last_page: Math.max(1, Math.ceil(total / rows)) },
    },
  }
}
