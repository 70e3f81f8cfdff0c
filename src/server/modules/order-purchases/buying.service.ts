import type { NotBought } from '#contract/constants.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { storeExchange } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { NOT_BOUGHT } from '#contract/recharge/not-bought.ts'
import { maintenanceGate } from '#server/modules/maintenance/index.ts'
import { addNotice, queueMailWithNext, type Addressee, type Mail } from '#server/modules/notices/index.ts'
import { exchangeWithin, type PurchaseDeps } from '#server/modules/purchases/index.ts'
import { findNotifiedTrader, isBanned, lockTrader, TRADES_PER_PLAYER } from '#server/modules/traders/index.ts'
import { count } from '#server/domain/metrics.ts'
import { notify } from '#server/domain/notices.ts'
import { afterCommit, inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { startSendingPool } from '#server/platform/queues/sending-pool.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import {
  claimDue,
  duePurchases,
  FIRST_PAUSE_SECONDS,
  lockDue,
  updateBought,
  updateNotBought,
  listTooLate,
  updateTooLate,
  type Due,
  type LockedPurchase,
} from './order-purchases.queries.ts'
import { claimEach, type DuePart } from '#server/platform/queues/claiming.ts'

// Buys what orders were paid for, after the commit of the credit: crediting stays as it is for all other orders, and
// what prevents the purchase never holds up the money. The row of the purchase makes it happen once: it changes in the
// transaction that takes the TCoin and writes the delivery.

export type BuyingDeps = PurchaseDeps & {
  publicUrl: string
  /** Where tests stop or kill a worker; nothing else hands one in. */
  pauseBuying?: (point: 'claimed' | 'bought' | 'refused', orderId: string) => Promise<void>
}

/** Refusals after which the TCoin stay in the wallet. All others are tried again. */
const REASONS: Partial<Record<ErrorCode, NotBought>> = {
  PRICE_CHANGED: 'price-changed',
  // The amount is not on offer any more.
  VALIDATION: 'price-changed',
  CHARACTER_NOT_FOUND: 'character-gone',
  BANNED: 'banned',
  NOT_ACTIVATED: 'not-activated',
  INSUFFICIENT_BALANCE: 'coins-missing',
}

/** Buys one, or writes down why not. Throws what is tried again: too many trades of the player, a failure. */
export async function buyDue(deps: BuyingDeps, { orderId, userId }: Due): Promise<void> {
  await deps.pauseBuying?.('claimed', orderId)
  await deps.limits.consume(TRADES_PER_PLAYER, userId)
  try {
    await inTransaction(deps.db, (tx) => buyWithin(deps, tx, { orderId, userId }))
  } catch (error) {
    const reason = error instanceof Refusal ? REASONS[error.code] : undefined
    if (reason === undefined) throw error
    await deps.pauseBuying?.('refused', orderId)
    // In a transaction of its own: what the refused one may have begun is undone.
    await inTransaction(deps.db, (tx) => giveUp(deps, tx, { orderId, userId, reason }))
  }
}

async function buyWithin(deps: BuyingDeps, tx: Tx, { orderId, userId }: Due): Promise<void> {
  await lockTrader(tx, userId)
  const due = await lockDue(tx, orderId)
  if (due === undefined) return
  if (due.isLate) return settleNotBought(deps, tx, { orderId, userId, due, reason: 'late' })
  const { code, characterId, amount, receive } = due
  const deliveryId = await exchangeWithin(deps, tx, {
    userId,
    // A better price is the player’s.
    body: { character_id: characterId, amount, least_receive: receive },
    requestId: code,
  })
  await updateBought(tx, orderId, deliveryId)
  notify(tx, 'recharge_order', code)
  await deps.pauseBuying?.('bought', orderId)
  afterCommit('count a bought order', () => count('portal_order_purchases_total', { outcome: 'bought' }))
}

type Refused = Due & { reason: NotBought }

async function giveUp(deps: BuyingDeps, tx: Tx, { orderId, userId, reason }: Refused): Promise<void> {
  const player = await lockTrader(tx, userId)
  const due = await lockDue(tx, orderId)
  if (due === undefined) return
  // Whoever still owes something is kept from trading as well.
  const isInDebt = reason === 'banned' && !isBanned(player, deps.clock.now())
  await settleNotBought(deps, tx, { orderId, userId, due, reason: isInDebt ? 'coins-missing' : reason })
}

async function settleNotBought(
  { vault, publicUrl, log }: BuyingDeps,
  tx: Tx,
  { orderId, userId, due, reason }: Refused & { due: LockedPurchase },
): Promise<void> {
  const { code, characterName: character, receive } = due
  await updateNotBought(tx, orderId, reason)
  const player = await findNotifiedTrader(tx, userId)
  await addNotice(tx, userId, {
    event: 'order-not-bought',
    subject: orderId,
    data: { code, character, receive, reason },
  })
  if (player && player.email !== null) {
    const to = { to: player.email, username: player.username }
    await queueMailWithNext(vault, tx, notBoughtMail(to, { code, character, receive, reason, publicUrl }))
  }
  notify(tx, 'recharge_order', code)
  afterCommit('report an order that bought nothing', () => {
    count('portal_order_purchases_total', { outcome: 'not-bought' })
    log.warn(
      { event: 'order.not-bought', orderCode: code, userId, reason },
      'an order was paid and bought nothing',
    )
  })
}

type NotMade = { code: string; character: string; receive: number; reason: NotBought; publicUrl: string }

const notBoughtMail = (to: Addressee, { code, character, receive, reason, publicUrl }: NotMade): Mail => ({
  kind: 'order-not-bought',
  ...to,
  subject: `Chưa đổi được ${formatNumber(receive)} lượng, TCoin vẫn ở trong ví`,
  paragraphs: [
    `Đơn nạp ${code} đã được thanh toán, nhưng chưa đổi được ${formatNumber(receive)} lượng cho nhân vật ${character}.`,
    `Lý do: ${NOT_BOUGHT[reason]}`,
    'TCoin của đơn này ở trong ví của bạn.',
  ],
  action: { label: 'Xem đơn nạp', url: publicUrl + paths.order(code) },
  closing: ['Bạn có thể tự đổi bất cứ lúc nào.'],
})

const JOB = 'order purchases'

/** Takes what is due; nothing while the exchange is closed for maintenance. */
export async function claimOpen(deps: BuyingDeps, room: number): Promise<Due[]> {
  try {
    await maintenanceGate(deps).assertOpen(storeExchange, null)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'MAINTENANCE') return []
    throw error
  }
  const claim = (part: DuePart) => claimDue(deps.db, part)
  return claimEach(deps, { job: JOB, leaseSeconds: FIRST_PAUSE_SECONDS, due: duePurchases, claim }, room)
}

const LATE_PER_ROUND = 200

/** Ends what nobody has paid for in time; true when there may be more. */
export function endUnpaid(deps: Pick<BuyingDeps, 'db' | 'log'>): Promise<boolean> {
  const end = (orderIds: readonly string[]) =>
    inTransaction(deps.db, async (tx) => {
      const codes = await updateTooLate(tx, orderIds)
      for (const code of codes) notify(tx, 'recharge_order', code)
      return codes.length
    })
  return workOff(deps, {
    job: 'unpaid order purchases',
    limit: LATE_PER_ROUND,
    list: listTooLate,
    work: async (id) => (await end([id])) > 0,
    workAll: end,
  })
}

const MINUTE_MS = 60_000

export function startPurchaseJobs(deps: BuyingDeps): Loop[] {
  const buyer = startSendingPool(deps, {
    job: JOB,
    leaseSeconds: FIRST_PAUSE_SECONDS,
    channel: 'order_purchase_due',
    pollMs: 2_000,
    parallelMax: 4,
    claim: (room) => claimOpen(deps, room),
    send: (due) => buyDue(deps, due),
    idOf: ({ orderId }) => orderId,
  })
  const loops = startLoops(deps.log, [
    { name: 'unpaid order purchases', pauseMs: MINUTE_MS, round: () => endUnpaid(deps) },
  ])
  return [buyer, ...loops]
}
