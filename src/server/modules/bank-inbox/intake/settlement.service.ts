import { isTrialEvent, type BankEvent, type PulledRow } from '#server/modules/payment-providers/index.ts'
import { isBanned, lockNotifiedTrader, type NotifiedTrader } from '#server/modules/traders/index.ts'
import {
  lockOrderWithNext,
  markOrderInReview,
  openChannels,
  orderCodesOf,
  type LockedOrder,
} from '#server/modules/recharge/index.ts'
import { readSettings, settingsOf, storedTexts } from '#server/modules/settings/index.ts'
import { afterCommit, inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { count } from '#server/domain/metrics.ts'
import { creditTransfer } from '../crediting/crediting.service.ts'
import { decideMatch, paymentTime, type MatchInput } from '../matching/matching.rules.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import {
  findStoredEvent,
  getBankTransactionByReference,
  insertBankTransaction,
  insertEvent,
  isKnownByNow,
  isReferenceKnown,
  knownEventIds,
  listUndecidedEvents,
  lockNewEventWithNext,
  nextTransferId,
  type EventToStore,
  type NewBankTransaction,
  type StoredEvent,
  markEvent,
  type EventOutcome,
} from './settlement.queries.ts'

/** Decides about one stored event. Undefined when it is decided already or being decided elsewhere. */
export async function settleEvent(
  deps: BankInboxDeps,
  { eventId, requestId }: { eventId: string; requestId?: string | undefined },
): Promise<EventOutcome | undefined> {
  const stored = await findStoredEvent(deps.db, eventId)
  return stored && settle(deps, { stored, requestId })
}

type ToSettle = { stored: StoredEvent; requestId: string | undefined }

/**
 * Decides about an event and does it, in one transaction. Locks go event, order, ledger accounts, bank transaction: its
 * row is written once, when the ledger has the movement.
 */
async function settle(deps: BankInboxDeps, toSettle: ToSettle): Promise<EventOutcome | undefined> {
  try {
    return await inTransaction(deps.db, (tx) => settleIn(deps, tx, toSettle))
  } catch (error) {
    if (!isKnownByNow(error)) throw error
    // Another event has reported the same transfer meanwhile; the second time it is found.
    return inTransaction(deps.db, (tx) => settleIn(deps, tx, toSettle))
  }
}

async function settleIn(
  deps: BankInboxDeps,
  tx: Tx,
  { stored, requestId }: ToSettle,
): Promise<EventOutcome | undefined> {
  const { id: eventId, event } = stored
  const gathered = await gather(tx, stored)
  if (gathered === undefined) return undefined
  const done = await decideAndDo(deps, tx, { ...gathered, stored, requestId })
  const facts = { ...eventFacts(event), eventId, ...done, requestId }
  const outcome = done.status === 'applied' ? 'credited' : done.status
  afterCommit(() => {
    count('portal_notifications_total', { provider: event.provider, outcome })
    deps.log.info({ event: 'payment.decided', ...facts }, 'a payment event was decided')
  })
  // A credit has marked its event itself.
  if (done.status !== 'applied') await markEvent(tx, eventId, done)
  return done
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
  const inserted = await insertEvent(deps.db, stored)
  if (inserted === undefined) return false
  const { id: eventId, receivedAt } = inserted
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
    const event = { ...stored.event, bookedAt: stored.event.bookedAt ?? receivedAt }
    await settle(deps, { stored: { id: eventId, event }, requestId })
  } catch (error) {
    // The event is stored and the sweeper retries it. The provider gets a success: otherwise it
    // would only send again what we have; and the events after it in a list must not wait.
    deps.log.error({ err: error, ...facts }, 'a payment event was stored but not settled yet')
  }
  return true
}

/** Takes in those rows of a provider's list that are not known yet; returns them. */
export async function takeInRows(
  deps: BankInboxDeps,
  { provider, rows }: { provider: string; rows: readonly PulledRow[] },
): Promise<PulledRow[]> {
  const ids = rows.map(({ event }) => event.providerEventId)
  const known = await knownEventIds(deps.db, provider, ids)
  const found: PulledRow[] = []
  for (const row of rows) {
    if (known.has(row.event.providerEventId)) continue
    if (await takeInEvent(deps, { ...row, signature: 'pulled' })) found.push(row)
  }
  return found
}

type Case = {
  input: MatchInput
  order: LockedOrder | undefined
  player: (NotifiedTrader & { transferId: string; isKnown: boolean }) | undefined
}

async function decideAndDo(
  deps: BankInboxDeps,
  tx: Tx,
  { stored, requestId, input, order, player }: Case & ToSettle,
): Promise<EventOutcome> {
  const { event } = stored
  const decision = decideMatch(input)
  if (decision.outcome === 'ignore' && decision.reason !== 'outgoing') {
    return { status: 'ignored', reason: decision.reason, bankTransactionId: null }
  }
  if (decision.outcome === 'credit') {
    invariant(order && player, 'a credit belongs to an order and its player')
    if (player.isKnown) return decideAboutKnown(tx, event, input)
    const { amount, orderStatus: status } = decision
    const transfer = { id: player.transferId, bankRef: event.bankRef, bookedAt: event.bookedAt }
    await creditTransfer(deps, tx, {
      player,
      amount,
      rate: order.rate,
      event: stored,
      transfer,
      at: input.now,
      paidAt: paymentTime(order, event, input.now),
      reversals: 0,
      actor: { requestId },
      order: { ...order, status },
    })
    return { status: 'applied', reason: null, bankTransactionId: transfer.id }
  }
  const bankTransactionId = await insertBankTransaction(tx, {
    event,
    state: decision.outcome === 'ignore' ? 'ignored' : 'review',
    reason: decision.reason,
    order,
  })
  if (bankTransactionId === undefined) return decideAboutKnown(tx, event, input)
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

/** Locks the event, and the order and its player when it names one. Undefined when the event is not ours to decide. */
async function gather(tx: Tx, { id, event }: StoredEvent): Promise<Case | undefined> {
  const codes = orderCodesOf(event)
  const [code] = codes
  const lockedAt = await lockNewEventWithNext(tx, id)
  // With two codes a person decides whatever the orders are.
  const named = code !== undefined && codes.length === 1 ? await lockNamed(tx, { code, event }) : undefined
  const { order, player } = named ?? {}
  const settings = player === undefined ? await readSettings(tx) : settingsOf(player.texts)
  const now = lockedAt()
  if (now === undefined) return undefined
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

/** The order and its player, read in a statement of its own after the locks, which may have been waited for. */
async function lockNamed(tx: Tx, { code, event }: { code: string; event: BankEvent }) {
  const { order, payer } = await lockOrderWithNext(tx, code)
  const player = await lockNotifiedTrader(tx, payer, {
    texts: storedTexts,
    transferId: nextTransferId,
    isKnown: isReferenceKnown(event),
  })
  return { order: order(), player }
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
/** The request that brought an event decides about it at once; the sweeper leaves it alone that long. */
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
