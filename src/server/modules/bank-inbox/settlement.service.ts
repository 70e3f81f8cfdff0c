import { isTrialEvent, type BankEvent } from '#server/modules/payment-providers/index.ts'
import { findNotifiedTrader, isBanned, type NotifiedTrader } from '#server/modules/traders/index.ts'
import {
  lockOrder,
  markOrderInReview,
  openChannels,
  orderCodesOf,
  type LockedOrder,
} from '#server/modules/recharge/index.ts'
import { readSettings, settingsOf, storedTexts } from '#server/modules/settings/index.ts'
import { afterCommit, inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/invariant.ts'
import { count } from '#server/platform/metrics/metrics.ts'
import { creditTransfer } from './crediting.service.ts'
import { decideMatch, type MatchInput } from './matching.rules.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import { markEvent, type EventOutcome } from './payment-events.queries.ts'
import {
  getBankTransactionByReference,
  insertBankTransaction,
  insertEvent,
  listUndecidedEvents,
  lockNewEvent,
  type EventToStore,
  type NewBankTransaction,
  type NewEvent,
} from './settlement.queries.ts'

/**
 * Decides about one stored event and does it, in one transaction. Locks go event, order, bank transaction, ledger
 * accounts. Undefined when the event is decided already or being decided elsewhere.
 */
export async function settleEvent(
  deps: BankInboxDeps,
  { eventId, requestId }: { eventId: string; requestId?: string | undefined },
): Promise<EventOutcome | undefined> {
  return inTransaction(deps.db, async (tx) => {
    const found = await lockNewEvent(tx, eventId)
    if (!found) return undefined
    const done = await decideAndDo(deps, tx, { found, requestId })
    const facts = { ...eventFacts(found.event), eventId, ...done, requestId }
    const outcome = done.status === 'applied' ? 'credited' : done.status
    afterCommit(() => {
      count('portal_notifications_total', { provider: found.event.provider, outcome })
      deps.log.info({ event: 'payment.decided', ...facts }, 'a payment event was decided')
    })
    // A credit has marked its event itself.
    if (done.status !== 'applied') await markEvent(tx, eventId, done)
    return done
  })
}

/** What connects an event in the log to its order and its payment. Of the payer's text only the code. */
const eventFacts = (event: EventToStore['event']) => ({
  orderCode: orderCodesOf(event).join(' ') || null,
  provider: event.provider,
  providerEventId: event.providerEventId,
  bankRef: event.bankRef,
  amount: event.amountVnd,
})

/**
 * Stores a payment event and decides about it. Returns false when it was stored before: the same id is the same event,
 * whether the provider notified or the portal pulled it.
 */
export async function takeInEvent(
  deps: BankInboxDeps,
  stored: EventToStore,
  requestId?: string,
): Promise<boolean> {
  const eventId = await insertEvent(deps.db, stored)
  if (eventId === undefined) return false
  const { signature } = stored
  const facts = { ...eventFacts(stored.event), eventId, signature, requestId }
  const { provider } = stored.event
  count('portal_notifications_total', { provider, outcome: 'received' })
  deps.log.info({ event: 'payment.received', ...facts }, 'a payment event was stored')
  if (signature === 'stale' || stored.decided) {
    count('portal_notifications_total', { provider, outcome: stored.decided?.status ?? 'stale' })
    return true
  }
  try {
    await settleEvent(deps, { eventId, requestId })
  } catch (error) {
    // The event is stored and the sweeper retries it. The provider gets a success: otherwise it
    // would only send again what we have; and the events after it in a list must not wait.
    deps.log.error({ err: error, ...facts }, 'a payment event was stored but not settled yet')
  }
  return true
}

type Case = { input: MatchInput; order: LockedOrder | undefined; player: NotifiedTrader | undefined }

async function decideAndDo(
  deps: BankInboxDeps,
  tx: Tx,
  { found, requestId }: { found: NewEvent; requestId: string | undefined },
): Promise<EventOutcome> {
  const { input, order, player } = await gather(tx, found)
  const decision = decideMatch(input)
  if (decision.outcome === 'ignore' && decision.reason !== 'outgoing') {
    return { status: 'ignored', reason: decision.reason, bankTransactionId: null }
  }
  const bankTransactionId = await insertBankTransaction(tx, {
    event: found.event,
    // A credit starts out as a case for review too: only a transfer in the ledger makes it one.
    state: decision.outcome === 'ignore' ? 'ignored' : 'review',
    reason: decision.outcome === 'credit' ? null : decision.reason,
    order,
  })
  if (bankTransactionId === undefined) return decideAboutKnown(tx, found.event, input)
  if (decision.outcome === 'credit') {
    invariant(order && player, 'a credit belongs to an order and its player')
    const { amount, orderStatus } = decision
    const { id, rate, code } = order
    await creditTransfer(deps, tx, {
      player,
      amount,
      rate,
      event: { ...found.event, id: found.id },
      transfer: { id: bankTransactionId, bankRef: found.event.bankRef },
      at: found.now,
      reversals: 0,
      actor: { requestId },
      order: { id, code, status: orderStatus },
    })
    return { status: 'applied', reason: null, bankTransactionId }
  }
  if (decision.outcome === 'review' && order && (order.status === 'pending' || order.status === 'expired')) {
    // The money has arrived: the player should read that it is being checked, not that nothing came.
    await markOrderInReview(tx, order.id)
  }
  return {
    status: decision.outcome === 'ignore' ? 'ignored' : 'review',
    reason: decision.reason,
    bankTransactionId,
  }
}

async function gather(tx: Tx, { event, now }: NewEvent): Promise<Case> {
  const codes = orderCodesOf(event)
  const [code] = codes
  // With two codes a person decides whatever the orders are.
  const order = code !== undefined && codes.length === 1 ? await lockOrder(tx, code) : undefined
  // A statement of its own after the lock, which may have been waited for.
  const player = order && (await findNotifiedTrader(tx, order.userId, { texts: storedTexts }))
  const settings = player === undefined ? await readSettings(tx) : settingsOf(player.texts)
  const isAtGateway = event.provider === 'momo'
  const input: MatchInput = {
    event,
    isTest: isTrialEvent(event),
    gateway: isAtGateway ? { requestId: event.fullText } : null,
    codes,
    orders: order ? [toMatch(order, player, now)] : [],
    receivingAccounts: [
      ...openChannels(settings.bankAccounts).map(({ account }) => account.number),
      // An account that was taken out of the settings is still ours while players pay to the account in their QR.
      ...(order ? [order.accountNumber] : []),
      // Notifications of other partner codes were refused before.
      ...(isAtGateway ? [event.accountNumber] : []),
    ],
    sameReference: null,
    limits: { minVnd: settings.rechargeMin, maxVnd: settings.rechargeMax },
    rate: settings.rechargeRate,
    now,
  }
  return { input, order, player }
}

function toMatch(
  order: LockedOrder,
  player: NotifiedTrader | undefined,
  now: Date,
): MatchInput['orders'][number] {
  return {
    ...order,
    userBanned: player !== undefined && isBanned(player, now),
    userDeleted: player === undefined || player.isErased,
    // Written in the transaction of its one credit, and read under the lock.
    creditedTransfers: order.credited > 0 ? 1 : 0,
  }
}

/**
 * For an operator who accepts a payment event: the transfer's row in the inbox, or the one that already has its
 * reference.
 */
export async function claimTransfer(
  tx: Tx,
  claimed: NewBankTransaction,
): Promise<{ id: string; isNew: true } | { id: string; isNew: false; amountVnd: number }> {
  const id = await insertBankTransaction(tx, claimed)
  if (id !== undefined) return { id, isNew: true }
  return { ...(await getBankTransactionByReference(tx, claimed.event)), isNew: false }
}

/** Another event, perhaps a concurrent one, has already stored this transfer under its reference. */
async function decideAboutKnown(tx: Tx, event: BankEvent, input: MatchInput): Promise<EventOutcome> {
  const known = await getBankTransactionByReference(tx, event)
  const decision = decideMatch({ ...input, sameReference: known })
  invariant(decision.outcome !== 'credit', 'a known transfer is never credited again')
  const status =
    decision.outcome === 'review' ? 'review' : decision.reason === 'same-transfer' ? 'duplicate' : 'ignored'
  return { status, reason: decision.reason, bankTransactionId: known.id }
}

const SWEPT_PER_ROUND = 100
/** The request that brought an event decides about it at once; the sweeper keeps out of its way that long. */
const GRACE_SECONDS = 2

/**
 * Decides about events whose request did not get to it. One that fails is passed over and comes again when all others
 * have had their turn. Answers the place to go on from, `'0'` when the end was reached.
 */
export async function sweepEvents(deps: BankInboxDeps, afterId: string): Promise<string> {
  const ids = await listUndecidedEvents(deps.db, {
    afterId,
    limit: SWEPT_PER_ROUND,
    graceSeconds: GRACE_SECONDS,
  })
  for (const eventId of ids) {
    try {
      await settleEvent(deps, { eventId })
    } catch (error) {
      // The event stays as it is and the loop returns to it; the others must not wait for it.
      deps.log.error({ err: error, eventId }, 'a bank notification could not be settled')
    }
  }
  return ids.length === SWEPT_PER_ROUND ? (ids.at(-1) as string) : '0'
}
