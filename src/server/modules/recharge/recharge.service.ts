import type { RechargeChannel, RechargeOrder } from '#contract/recharge.ts'
import { listRunning } from '#server/modules/promotions/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { msSince } from '#server/platform/values/moments.rules.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type Page, pageOf, type PageQuery } from '#server/platform/http/list.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { channelsNow, type OpenChannel, openChannels } from './channels.rules.ts'
import { findPayUrl, hastenCheckout, type RechargeDeps } from './checkout.service.ts'
import { withQrImage, maskReference } from './order.rules.ts'
import { markCancelled, markExpired } from './order-status.service.ts'
import { orderNotPending } from './recharge.errors.ts'
import {
  countOrders,
  countOrdersIn,
  deleteOrderNotes,
  findOrder,
  listExpired,
  listOrdersOf,
  lockUncredited,
  orderNotesOfPerson,
  ordersOfPerson,
  type OrderOfPlayer,
  selectCodes,
} from './recharge.queries.ts'

export async function listChannels(
  { db, payments }: RechargeDeps,
  userId: string,
): Promise<RechargeChannel[]> {
  const { bankAccounts, rechargeMin, rechargeMax } = await readSettings(db)
  const promotionsOf = await listRunning(db, userId)
  return channelsNow(payments, bankAccounts).map(({ channel, name, account, maxVnd }) => ({
    channel,
    name,
    min: rechargeMin,
    max: Math.min(rechargeMax, maxVnd),
    account_name: account.name,
    ...promotionsOf(channel, name),
  }))
}

/** Every account that receives money: those of the settings and the gateways', whichever of them orders name today. */
export async function receivingChannels({
  db,
  payments,
}: Pick<RechargeDeps, 'db' | 'payments'>): Promise<OpenChannel[]> {
  const { bankAccounts } = await readSettings(db)
  return [...openChannels(bankAccounts), ...channelsNow(payments, bankAccounts)]
}

/** Reads of `bank-inbox`, which uses this module: the app passes them in. */
export type OrderReads = RechargeDeps & {
  findOrderPayment(db: Db, key: OrderOfPlayer): Promise<RechargeOrder['payment']>
  /** The median of the seconds from the bank to the wallet; null while there are too few payments. */
  findUsualSeconds(db: Db): Promise<number | null>
}

/** Undefined when the player has no such order. */
export const findOrderStatus = async (
  db: Db,
  key: OrderOfPlayer,
): Promise<RechargeOrder['status'] | undefined> => (await findOrder(db, key))?.status

/** Which of these orders there are. */
export const knownOrders = async (db: Db, codes: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(await selectCodes(db, codes))

/** One order of the player, or 404; another player's is as unknown as one that never was. */
export async function getOrder(deps: OrderReads, key: OrderOfPlayer): Promise<RechargeOrder> {
  const order = orNotFound(await findOrder(deps.db, key))
  const shown = await withQrImage(order)
  if (order.status === 'pending') return openOrder(deps, shown)
  const payment = await deps.findOrderPayment(deps.db, key)
  if (payment === undefined) return shown
  const { bank_reference } = payment
  return {
    ...shown,
    payment: { ...payment, bank_reference: bank_reference === null ? null : maskReference(bank_reference) },
  }
}

async function openOrder(deps: OrderReads, shown: RechargeOrder): Promise<RechargeOrder> {
  const isQueried = deps.payments.checkouts.some(({ channels }) => channels.length > 0)
  const order = isQueried ? await payable(deps, shown) : shown
  const usual_seconds = await usualSeconds(deps)
  return usual_seconds === undefined ? order : { ...order, usual_seconds }
}

const QUERY_PAUSE_SECONDS = 30

/** Whoever reads an open order may have come back from paying it. */
async function payable(deps: RechargeDeps, order: RechargeOrder): Promise<RechargeOrder> {
  await hastenCheckout(deps.db, order.code, QUERY_PAUSE_SECONDS)
  const payUrl = await findPayUrl(deps, order.code)
  return payUrl === null ? order : { ...order, pay_url: payUrl }
}

export async function listOrders(
  deps: RechargeDeps,
  userId: string,
  query: PageQuery,
): Promise<Page<RechargeOrder>> {
  const { limit, offset, of } = pageOf(query)
  const total = await countOrders(deps.db, userId)
  const orders = await listOrdersOf(deps.db, userId, { limit, offset })
  // At most the three open ones have a picture to render.
  return of(total, await Promise.all(orders.map(withQrImage)))
}

/** Closes an order that waits for money. Should money come all the same, a person decides. */
export async function cancelOrder(deps: RechargeDeps, key: OrderOfPlayer): Promise<RechargeOrder> {
  const order = await inTransaction(deps.db, async (tx) => {
    const isCancelled = await markCancelled(tx, key)
    const found = orNotFound(await findOrder(tx, key))
    if (!isCancelled) throw orderNotPending()
    return found
  })
  return withQrImage(order)
}

/** Orders that wait for their money. */
export const countWaitingOrders = (db: Db): Promise<number> => countOrdersIn(db, 'pending')

const EXPIRED_PER_ROUND = 200

/** Answers whether there may be more. */
export function expireOrders(deps: RechargeDeps): Promise<boolean> {
  const expire = (ids: readonly string[]) => inTransaction(deps.db, (tx) => markExpired(tx, ids))
  return workOff(deps, {
    job: 'recharge expiry',
    limit: EXPIRED_PER_ROUND,
    list: listExpired,
    work: async (id) => (await expire([id])) > 0,
    workAll: expire,
  })
}

const CACHED_MS = 300_000
/** A longer time is not shown: most of it is the bank's, which names days instead of moments. */
const SHOWN_MAX_SECONDS = 3_600

const cache = new WeakMap<Db, { at: Date; seconds: Promise<number | undefined> }>()

/** How long money usually takes to the wallet, in whole seconds; undefined while unknown. Read every five minutes. */
export function usualSeconds({
  db,
  clock,
  findUsualSeconds,
}: Pick<OrderReads, 'db' | 'clock' | 'findUsualSeconds'>): Promise<number | undefined> {
  const now = clock.now()
  const cached = cache.get(db)
  if (cached && msSince(cached.at, now) < CACHED_MS) return cached.seconds
  // An order is shown without it where it cannot be read.
  const seconds = findUsualSeconds(db).then(shownSeconds, () => undefined)
  cache.set(db, { at: now, seconds })
  return seconds
}

function shownSeconds(seconds: number | null): number | undefined {
  if (seconds === null || seconds > SHOWN_MAX_SECONDS) return undefined
  return Math.max(1, Math.ceil(seconds))
}

const EXPIRY_PAUSE_MS = 5_000

/** Orders whose time has run out. */
export function startRechargeJobs(deps: RechargeDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'recharge expiry', pauseMs: EXPIRY_PAUSE_MS, round: () => expireOrders(deps) },
  ])
}

/**
 * Orders hold amounts, our own account and a code: they stay with the ledger and name nobody. Notes about them are the
 * operators' texts and may name people: the export has when there were some, the erasure removes them.
 */
export const personalOrders: PersonalPart = {
  lists: { recharge_orders: ordersOfPerson, order_notes: orderNotesOfPerson },
  erase: (tx, { id }) => deleteOrderNotes(tx, id),
  open: {
    order: async (tx, { id }) => (await lockUncredited(tx, id)).filter(({ isOpen }) => isOpen).length,
  },
}
