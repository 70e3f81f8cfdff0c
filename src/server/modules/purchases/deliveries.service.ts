import { shownText } from '#contract/name-texts.ts'
import { randomUUID } from 'node:crypto'
import {
  type Delivery,
  type DeliveryReceipt,
  type Good,
  goodsInWords,
  isFree,
  type PurchaseKind,
} from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { queueMailWithNext, type Addressee, type Mail } from '#server/modules/mail/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import { findNotifiedTrader, type Trader, walletAfter } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer, postTransferWithNext, settleDebt } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type GameNames, readGameNames } from '#server/domain/game-names.ts'
import { notify } from '#server/domain/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { pageOf, type Page, type PageQuery } from '#server/platform/http/list.ts'
import { orNotFound, invariant } from '#server/platform/values/errors.ts'
import { followWithNext, isNotFollowed } from './collection.queries.ts'
import { goodsOf, notifyArrival } from './collection.service.ts'
import {
  countDeliveries,
  findDeliveryOf,
  insertPurchase,
  selectDeliveries,
  type HeldDelivery,
  type ListedDelivery,
  type OwnRow,
} from './deliveries.queries.ts'
import { isDeliveryId, refundReason, statusOf } from './deliveries.rules.ts'
import { type Offer, OFFERS } from './offers.ts'
import { voidReward } from './rewards.queries.ts'

type Hold = {
  kind: PurchaseKind
  /** Locked by the caller. */
  trader: Trader
  amount: number
  character: { id: string; name: string; serverId: string }
  goods: readonly Good[]
  /** The offer's own row. */
  record: OwnRow
  requestId: string
}

/** One movement of a purchase's TCoin, as it is logged after the commit. */
export type Movement = {
  event: 'purchase.held' | 'delivery.settled' | 'delivery.refunded'
  deliveryId: string
  userId: string
  amount: number
  /** Of the ledger; null for goods that cost nothing. */
  transferId: string | null
}

const movementOf = (
  event: Movement['event'],
  { id, userId, amount }: Pick<HeldDelivery, 'id' | 'userId' | 'amount'>,
  transferId: string | null,
): Movement => ({ event, deliveryId: id, userId, amount, transferId })

type Held = {
  deliveryId: string
  balance: number
  balance_version: number
  /** Known after the commit. */
  movement: () => Movement
}

/**
 * The buying half of a purchase, inside its transaction: the coins wait in `delivery_hold`, and everything promised is
 * written down under the id that the game will know it by. The caller has checked that the wallet holds the coins.
 */
export async function holdForDelivery(tx: Tx, hold: Hold): Promise<Held> {
  const { kind, trader, amount, character } = hold
  const id = randomUUID()
  const delivery = {
    id,
    kind,
    user_id: trader.id,
    amount,
    server_id: character.serverId,
    account: trader.username.toLowerCase(),
    character_id: character.id,
    character_name: character.name,
    goods: JSON.stringify(hold.goods),
  }
  await insertPurchase(tx, delivery, hold.record)
  // Last of all and together with the commit, until which others wait for the house account's row.
  const posted = await postTransferWithNext(tx, {
    kind: `${kind}_hold`,
    debit: trader.walletId,
    credit: HOUSE.deliveryHold,
    amount,
    source: { type: 'delivery', id },
    actorUserId: trader.id,
    requestId: hold.requestId,
  })
  // Only a hint: the workers look by themselves every second.
  notify(tx, 'delivery_due')
  return {
    deliveryId: id,
    ...walletAfter(trader, trader.balance - amount),
    movement: () => movementOf('purchase.held', { id, userId: trader.id, amount }, posted().transferId),
  }
}

type Actor = { actorOperatorId?: string; requestId?: string }

/**
 * The game has applied the delivery: the coins are ours. From here on the worker asks until the goods are collected, if the
 * game tells it. The delivery's row was locked and ended by the caller. Goes with the next statement, since the hold
 * contains the coins; the movement is known after the commit.
 */
export async function settleHold(
  { game }: { game: GameBridge },
  tx: Tx,
  held: HeldDelivery,
  actor: Actor = {},
): Promise<() => Movement> {
  if (game.collection) await followWithNext(tx, held.id)
  await notifyArrival(tx, held, game.collection ? isNotFollowed : undefined)
  notify(tx, 'delivery_changed', held.userId)
  if (isFree(held.kind)) return () => movementOf('delivery.settled', held, null)
  const posted = await postTransferWithNext(tx, {
    kind: `${held.kind}_settle`,
    debit: HOUSE.deliveryHold,
    credit: HOUSE.revenue,
    amount: held.amount,
    source: { type: 'delivery', id: held.id },
    ...actor,
  })
  return () => movementOf('delivery.settled', held, posted().transferId)
}

export type RefundDeps = PlatformDeps & {
  /** Where links in mails lead. */
  publicUrl: string
}

type Refund = { held: HeldDelivery; note: string | null; actor?: Actor }

/**
 * The goods will never arrive: the coins go back, the offer's own row is undone, and a player with a verified address
 * gets a mail with the reason. Goods that cost nothing bring
 * nothing back; a reward may be had again. The delivery's row was locked and ended by the caller.
 */
export async function refundHold(
  { vault, publicUrl }: RefundDeps,
  tx: Tx,
  { held, note, actor = {} }: Refund,
): Promise<() => Movement> {
  notify(tx, 'delivery_changed', held.userId)
  if (isFree(held.kind)) {
    if (held.kind === 'reward') await voidReward(tx, held.id)
    return () => movementOf('delivery.refunded', held, null)
  }
  const owner = await findNotifiedTrader(tx, held.userId)
  invariant(owner, 'a delivery belongs to a player with a wallet')
  // Before the house account is locked.
  const goods = owner.email === null ? [] : (await readGameNames(tx)).withItemNames(held.goods)
  const { creditBalance, transferId } = await postTransfer(tx, {
    kind: `${held.kind}_refund`,
    debit: HOUSE.deliveryHold,
    credit: owner.walletId,
    amount: held.amount,
    source: { type: 'delivery', id: held.id },
    ...actor,
  })
  // Read before the wallet was locked: a debt of this very moment waits for the next coins that come in.
  const source = { type: 'ledger_transfer', id: transferId }
  const paid = owner.debt > 0 ? await settleDebt(tx, { player: owner, source, actor }) : 0
  const balance = creditBalance - paid
  const offer: Offer<never> = OFFERS[held.kind]
  await offer.undo?.(tx, held.id)
  const reason = refundReason(note)
  await addNotice(tx, held.userId, {
    event: 'goods-refunded',
    subject: held.id,
    data: { ...goodsOf(held), amount: held.amount, reason },
  })
  const { username, email } = owner
  if (email !== null) {
    const mail = refundedMail({ to: email, username }, { ...held, goods, reason, balance, publicUrl })
    await queueMailWithNext(vault, tx, mail)
  }
  return () => movementOf('delivery.refunded', held, transferId)
}

/** The player's purchases, the newest first. */
export async function listDeliveries(db: Db, userId: string, query: PageQuery): Promise<Page<Delivery>> {
  const { limit, offset, of } = pageOf(query)
  const total = await countDeliveries(db, userId)
  const deliveries = await selectDeliveries(db, userId, { limit, offset })
  const names = await readGameNames(db)
  return of(
    total,
    deliveries.map((delivery) => describeDelivery(delivery, names)),
  )
}

type FollowedDelivery = Delivery & Pick<DeliveryReceipt, 'is_with_staff'>

/** What the event stream sends: the first page without a count, with every part of a receipt that may change. */
export async function listRecentDeliveries(db: Db, userId: string): Promise<FollowedDelivery[]> {
  const deliveries = await selectDeliveries(db, userId, pageOf({}))
  const names = await readGameNames(db)
  return deliveries.map((delivery) => ({
    ...describeDelivery(delivery, names),
    is_with_staff: isWithStaff(delivery),
  }))
}

const isWithStaff = ({ state }: ListedDelivery) => state === 'parked'

const describeDelivery = <Listed extends ListedDelivery>(
  { state, ...delivery }: Listed,
  names: GameNames,
) => ({
  ...delivery,
  goods: names.withItemNames(delivery.goods),
  status: statusOf(state),
})

/** The receipt of one purchase of the player, or 404; another player's is as unknown as one that never was. */
export async function getDelivery(db: Db, key: { id: string; userId: string }): Promise<DeliveryReceipt> {
  const found = orNotFound(isDeliveryId(key.id) ? await findDeliveryOf(db, key) : undefined)
  const { note, ...delivery } = found
  const isRefunded = found.state === 'refunded' && !isFree(found.kind)
  const refund_reason = isRefunded ? refundReason(note) : null
  const names = await readGameNames(db)
  return {
    ...describeDelivery(delivery, names),
    character_head_name: names.headName(found.character_head),
    is_with_staff: isWithStaff(found),
    refund_reason,
  }
}

type Refunded = {
  id: string
  goods: readonly Good[]
  characterName: string
  amount: number
  reason: string
  /** The player's TCoin now. */
  balance: number
  publicUrl: string
}

const refundedMail = (
  to: Addressee,
  { id, goods, characterName, amount, reason, balance, publicUrl }: Refunded,
): Mail => ({
  kind: 'purchase-refunded',
  ...to,
  subject: `Bạn được hoàn ${formatNumber(amount)} TCoin`,
  paragraphs: [
    `Món bạn mua không vào được game nên TCoin đã trở về ví của bạn.`,
    `Đã mua: ${goodsInWords(goods)} cho nhân vật ${shownText(characterName)}`,
    `Lý do: ${reason}`,
    `Đã hoàn: ${formatNumber(amount)} TCoin`,
    `Số dư mới: ${formatNumber(balance)} TCoin`,
  ],
  action: { label: 'Xem biên nhận', url: publicUrl + paths.deliveries(id) },
  closing: ['Bạn có thể mua lại bất cứ lúc nào.'],
})
