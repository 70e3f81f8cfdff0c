import { randomInt } from 'node:crypto'
import { OPEN_ORDERS_MAX } from '#contract/constants.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { assertNotBanned, lockTrader } from '#server/modules/traders/index.ts'
import {
  planPurchase,
  prepareToPlan,
  storePurchase,
  type WantedPurchase,
} from '#server/modules/order-purchases/index.ts'
import { promiseBonus } from '#server/modules/promotions/index.ts'
import { readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { onceForPlayer } from '#server/platform/idempotency/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { channelsNow, type OpenChannel } from './channels.rules.ts'
import { insertCheckout } from './checkout.queries.ts'
import {
  checkoutClientFor,
  findPayUrl,
  openCheckout,
  payabilityOf,
  type RechargeDeps,
} from './checkout.service.ts'
import { queryDelaySeconds } from './query-delays.rules.ts'
import { makeOrderCode } from './order-code.rules.ts'
import { withQrImage, orderQr, type OrderWithoutQr } from './order.rules.ts'
import {
  aboveMaximum,
  belowMinimum,
  belowPurchase,
  channelClosed,
  momoUnavailable,
  noAmount,
  tooManyOpenOrders,
} from './recharge.errors.ts'
import { countOpenOrders, findOrder, insertOrder } from './recharge.queries.ts'

const ORDERS_PER_PLAYER = sharedLimit('recharge-orders', 30, 3_600)

export type OrderRequest = {
  userId: string
  channel: number
  /** VND; undefined with a purchase: what the wallet lacks for it. */
  amount: number | undefined
  purchase: WantedPurchase | undefined
  key: string | null
  overLimit: Refusal | null
  requestId: string
}

/**
 * Opens an order: the account to pay to, the rate and the QR are what they are now, whatever is set later. What a
 * gateway has to add is requested afterwards, outside the transaction.
 */
export async function createOrder(deps: RechargeDeps, request: OrderRequest): Promise<RechargeOrder> {
  const { userId, channel } = request
  if (request.purchase) await prepareToPlan(deps, userId)
  const { order, isNew } = await place(deps, request)
  const client = checkoutClientFor(deps, channel)
  if (client && isNew && !(await openCheckout(deps, client, order.code))) throw momoUnavailable()
  // The stored answer lacks what the vendor added afterwards.
  const now = client && (await findOrder(deps.db, { code: order.code, userId }))
  const payUrl = client?.gateway && (await findPayUrl(deps, order.code))
  // The picture stays out of the stored answer as well; it is rendered again from the text.
  const shown = await withQrImage(now ?? order)
  return payUrl ? { ...shown, pay_url: payUrl } : shown
}

type Placed = { order: OrderWithoutQr; isNew: boolean }

/** How often one key may find that its order could never be paid. */
const FRESH_STARTS_MAX = 5

/**
 * Places the order, once per key. An order that its gateway never made was refused to the player, and a refusal does not use a key
 * up: the key then belongs to the order that is placed after it.
 */
async function place(deps: RechargeDeps, request: OrderRequest): Promise<Placed> {
  const { userId, channel, amount, purchase, key, overLimit, requestId } = request
  const body = { channel, amount, purchase }
  let scope = 'recharge-order'
  for (let start = 0; start < FRESH_STARTS_MAX; start += 1) {
    let isNew = false
    const limit = start === 0 ? ORDERS_PER_PLAYER : null
    const operation = { userId, key, overLimit, scope, body, limit }
    const order = await onceForPlayer(deps, operation, async (tx) => {
      const placed = await insert(tx, deps, request)
      afterCommit('report a new order', () => {
        isNew = true
        const { code: orderCode, amount: vnd } = placed.answer
        deps.log.info(
          { event: 'order.placed', orderCode, channel, userId, amount: vnd, buys: purchase?.kind, requestId },
          'an order was placed',
        )
      })
      return placed
    })
    if (isNew || key === null) return { order, isNew }
    const payability = await payabilityOf(deps, order.code)
    if (payability === 'payable') return { order, isNew }
    if (payability === 'being-made') throw new Refusal('IN_PROGRESS', { retryAfterSeconds: 2 })
    scope = `recharge-order:${order.code}`
  }
  throw momoUnavailable()
}

/** Throws LIMIT_EXCEEDED while as many orders of a player are open as may be. */
export async function assertPlaceLeft(db: Db | Tx, userId: string): Promise<void> {
  if ((await countOpenOrders(db, userId)) >= OPEN_ORDERS_MAX) throw tooManyOpenOrders(OPEN_ORDERS_MAX)
}

async function insert(tx: Tx, deps: RechargeDeps, request: OrderRequest) {
  // The player's wallet is locked although nothing moves: it makes their orders take turns, so that the limit holds.
  const player = await lockTrader(tx, request.userId)
  assertNotBanned(player, deps.clock.now())
  const settings = await readSettings(tx)
  const now = deps.clock.now()
  const { purchase: wanted } = request
  const planned = wanted && (await planPurchase(tx, { player, settings, wanted, now }))
  const asked = sumOf(request, settings, planned?.missing)
  const open = chooseChannel(deps, settings, { channel: request.channel, amount: asked })
  await assertPlaceLeft(tx, request.userId)
  const { rechargeRate: rate } = settings
  const stored = await insertWithNewCode(tx, { userId: request.userId, amount: asked, open, rate })
  const purchase = planned ? await storePurchase(tx, stored.code, planned) : null
  const client = checkoutClientFor(deps, open.channel)
  if (client) {
    await insertCheckout(tx, { code: stored.code, client, delaySeconds: queryDelaySeconds(0) })
  }
  // Last of all: until the commit others wait for the promotion and its budget.
  const { code, channel, amount } = stored
  const bonus = await promiseBonus(tx, {
    code,
    channel,
    amount,
    userId: request.userId,
    rate,
  })
  return { answer: { ...stored, bonus, purchase }, resultType: 'payment_order', resultId: code }
}

/** VND: what was asked for, and with a purchase at least what the wallet lacks for it, raised to the minimum. */
function sumOf(
  { amount }: OrderRequest,
  { rechargeRate, rechargeMin }: SettingValues,
  missing: number | undefined,
): number {
  if (missing === undefined) {
    if (amount === undefined) throw noAmount()
    return amount
  }
  const needed = Math.max(Math.ceil(missing / rechargeRate), rechargeMin)
  if (amount !== undefined && amount < needed) throw belowPurchase(needed)
  return amount ?? needed
}

function chooseChannel(
  { payments }: RechargeDeps,
  settings: SettingValues,
  { channel, amount }: { channel: number; amount: number },
): OpenChannel {
  const open = channelsNow(payments, settings.bankAccounts).find((candidate) => candidate.channel === channel)
  if (!open) throw channelClosed()
  if (amount < settings.rechargeMin) throw belowMinimum(settings.rechargeMin)
  const maximum = Math.min(settings.rechargeMax, open.maxVnd)
  if (amount > maximum) throw aboveMaximum(maximum)
  return open
}

const CODE_TRIES_MAX = 5

type OrderTerms = { userId: string; amount: number; open: OpenChannel; rate: number }

async function insertWithNewCode(
  tx: Tx,
  { userId, amount, open, rate }: OrderTerms,
): Promise<OrderWithoutQr> {
  const { account, channel } = open
  const { bin: bank_bin, number: account_number, name: account_name } = account
  for (let attempt = 0; attempt < CODE_TRIES_MAX; attempt += 1) {
    const code = makeOrderCode(randomInt)
    // A gateway's QR comes with its answer, and it is called after this is committed.
    const qr = open.isGateway ? '' : orderQr(account, { amount, code })
    const terms = { user_id: userId, channel, amount, rate, bank_bin, account_number, account_name }
    const order = await insertOrder(tx, { ...terms, code, qr })
    if (order) return order
  }
  invariant(false, 'five random codes in a row are not all taken')
}
