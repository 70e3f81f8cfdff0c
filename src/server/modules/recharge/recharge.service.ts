import { randomInt } from 'node:crypto'
import { OPEN_ORDERS_MAX } from '#contract/constants.ts'
import type { RechargeChannel, RechargeOrder } from '#contract/recharge.ts'
import { assertNotBanned, lockTrader } from '#server/modules/accounts/index.ts'
import { readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { notFound, type Refusal } from '#server/platform/http/refusal.ts'
import { once } from '#server/platform/idempotency.ts'
import { invariant } from '#server/platform/invariant.ts'
import { openChannels, type OpenChannel } from './channels.rules.ts'
import { makeOrderCode } from './order-code.rules.ts'
import { describeOrder, drawOrder, orderQr, type StoredOrder } from './order.rules.ts'
import type { RechargeDeps } from './recharge-deps.ts'
import { findOrderPayment } from './receipts.queries.ts'
import { describePayment } from './receipts.rules.ts'
import { ORDERS_PER_PLAYER } from './recharge.limits.ts'
import {
  aboveMaximum,
  belowMinimum,
  channelClosed,
  orderNotPending,
  tooManyOpenOrders,
} from './recharge.errors.ts'
import {
  countOpenOrders,
  countOrders,
  findOrder,
  insertOrder,
  listOrdersOf,
  markCancelled,
  markExpired,
  notifyOrder,
  type OrderOfPlayer,
} from './recharge.queries.ts'

export async function listChannels(db: Db): Promise<RechargeChannel[]> {
  const { bankAccounts, rechargeMin, rechargeMax } = await readSettings(db)
  return openChannels(bankAccounts).map(({ channel, name, account }) => ({
    channel,
    name,
    min: rechargeMin,
    max: rechargeMax,
    account_name: account.name,
  }))
}

export type OrderRequest = {
  userId: string
  channel: number
  amount: number
  key: string | null
  overLimit: Refusal | null
}

/** Opens an order: the account to pay to, the rate and the QR are what they are now, whatever is set later. */
export async function createOrder(deps: RechargeDeps, request: OrderRequest): Promise<RechargeOrder> {
  const { userId, channel, amount, key, overLimit } = request
  const operation =
    key === null ? null : { scope: `user:${userId}:recharge-order`, key, body: { channel, amount } }
  const pace = { limits: deps.limits, limit: ORDERS_PER_PLAYER, of: userId, overLimit }
  const work = async (tx: Tx) => {
    // The player's wallet is locked although nothing moves: it makes their orders take turns, so that the limit holds.
    const player = await lockTrader(tx, userId)
    assertNotBanned(player, deps.clock.now())
    const settings = await readSettings(tx)
    const open = chooseChannel(settings, request)
    if ((await countOpenOrders(tx, userId)) >= OPEN_ORDERS_MAX) throw tooManyOpenOrders(OPEN_ORDERS_MAX)
    const stored = await insertWithNewCode(tx, { request, open, rate: settings.rechargeRate })
    return { answer: describeOrder(stored), resultType: 'payment_order', resultId: stored.code }
  }
  // The picture stays out of the stored answer, which is kept for good; it can be drawn again from the text.
  return drawOrder(await once(deps.db, operation, work, pace))
}

function chooseChannel(settings: SettingValues, { channel, amount }: OrderRequest): OpenChannel {
  const open = openChannels(settings.bankAccounts).find((candidate) => candidate.channel === channel)
  if (!open) throw channelClosed()
  if (amount < settings.rechargeMin) throw belowMinimum(settings.rechargeMin)
  if (amount > settings.rechargeMax) throw aboveMaximum(settings.rechargeMax)
  return open
}

const CODE_TRIES_MAX = 5

type OrderTerms = { request: OrderRequest; open: OpenChannel; rate: number }

async function insertWithNewCode(tx: Tx, { request, open, rate }: OrderTerms): Promise<StoredOrder> {
  const { userId, amount } = request
  const { account, channel } = open
  for (let attempt = 0; attempt < CODE_TRIES_MAX; attempt += 1) {
    const code = makeOrderCode(randomInt)
    const qr = orderQr(account, { amount, code })
    const order = await insertOrder(tx, { code, userId, channel, amount, rate, account, qr })
    if (order) return order
  }
  invariant(false, 'five random codes in a row are not all taken')
}

/** One order of the player, or 404; another player's is as unknown as one that never was. */
export async function getOrder(deps: RechargeDeps, wanted: OrderOfPlayer): Promise<RechargeOrder> {
  const order = await findOrder(deps.db, wanted)
  if (!order) throw notFound()
  const drawn = await drawOrder(describeOrder(order))
  const payment = order.status === 'pending' ? undefined : await findOrderPayment(deps.db, wanted)
  return payment ? { ...drawn, payment: describePayment(payment) } : drawn
}

type OrderPage = {
  data: RechargeOrder[]
  payload: { pagination: { page: number; items_per_page: number; total: number; last_page: number } }
}

type PageQuery = { page?: number | undefined; items_per_page?: number | undefined }

const ITEMS_PER_PAGE = 20

export async function listOrders(
  deps: RechargeDeps,
  userId: string,
  { page = 1, items_per_page = ITEMS_PER_PAGE }: PageQuery,
): Promise<OrderPage> {
  const total = await countOrders(deps.db, userId)
  const orders = await listOrdersOf(deps.db, userId, {
    limit: items_per_page,
    offset: (page - 1) * items_per_page,
  })
  return {
    // At most the three open ones have a picture to draw.
    data: await Promise.all(orders.map((order) => drawOrder(describeOrder(order)))),
    payload: {
      pagination: { page, items_per_page, total, last_page: Math.max(1, Math.ceil(total / items_per_page)) },
    },
  }
}

/** Closes an order that waits for money. Should money come all the same, a person looks at it. */
export async function cancelOrder(deps: RechargeDeps, wanted: OrderOfPlayer): Promise<RechargeOrder> {
  const order = await inTransaction(deps.db, async (tx) => {
    const cancelled = await markCancelled(tx, wanted)
    if (cancelled) {
      await notifyOrder(tx, cancelled.code)
      return cancelled
    }
    throw (await findOrder(tx, wanted)) ? orderNotPending() : notFound()
  })
  return drawOrder(describeOrder(order))
}

const EXPIRED_PER_ROUND = 200

/** Answers whether there may be more. */
export async function expireOrders(deps: RechargeDeps): Promise<boolean> {
  const count = await inTransaction(deps.db, (tx) => markExpired(tx, EXPIRED_PER_ROUND))
  return count === EXPIRED_PER_ROUND
}
