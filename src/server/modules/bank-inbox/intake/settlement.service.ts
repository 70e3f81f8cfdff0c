import { workOff } from '#server/platform/queues/due-rows.ts'
import { randomUUID } from 'node:crypto'
import { isTrialEvent, type BankEvent, type PulledList } from '#server/modules/payment-providers/index.ts'
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
import { sha256Hex } from '#server/platform/values/crypto.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { count } from '#server/domain/metrics.ts'
import { creditTransfer } from '../crediting/crediting.service.ts'
import { isSameContent, likenessOf, type Likeness } from '../matching/likeness.ts'
import { decideMatch, ourAccount, paymentTime, type MatchInput } from '../matching/matching.rules.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import {
  findStoredEvent,
  insertBankTransaction,
  insertEvent,
  listReportsUnder,
  listStoredUnder,
  listUndecidedEvents,
  lockNewEventWithNext,
  nextTransferId,
  reportsUnder,
  toReports,
  type EventToStore,
  type StoredEvent,
  markEvent,
  type EventOutcome,
} from './settlement.queries.ts'
import { doEach } from '#server/platform/values/each.ts'

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
 * Decides about an event and does it, in one transaction. Locks go event, turn under the reference, order, ledger
 * accounts; the bank transaction's row is written once, when the ledger has the movement.
 */
const settle = (deps: BankInboxDeps, toSettle: ToSettle): Promise<EventOutcome | undefined> =>
  inTransaction(deps.db, (tx) => settleIn(deps, tx, toSettle))

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
  afterCommit('report a payment event', () => {
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
 * Stores a payment event and decides about it. Returns false when there is one under its id: what else is told under it
 * is stored, to be seen, and never credited.
 */
export async function takeInEvent(
  deps: BankInboxDeps,
  stored: EventToStore,
  requestId?: string,
): Promise<boolean> {
  const inserted = await insertEvent(deps.db, stored)
  if (inserted === undefined) {
    await takeInAgain(deps, stored)
    return false
  }
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
    await settle(deps, { stored: { id: eventId, event, toldAt: stored.event.bookedAt }, requestId })
  } catch (error) {
    // The event is stored and the sweeper retries it. The provider gets a success: otherwise it
    // would only send again what we have; and the events after it in a list must not wait.
    deps.log.error({ err: error, ...facts }, 'a payment event was stored but not settled yet')
  }
  return true
}

/**
 * What comes under a known id is the same notification again, or it says something else: then a person looks at it. A
 * list, and what was signed long ago, may be read as often as anybody likes: the same of these is no news.
 */
async function takeInAgain(deps: BankInboxDeps, stored: EventToStore): Promise<void> {
  const { event, signature } = stored
  const { provider, providerEventId } = event
  const known = (await listStoredUnder(deps.db, provider, [providerEventId])).get(providerEventId)
  invariant(known, 'an event is never deleted')
  const under = (mark: string) => ({ ...event, providerEventId: `${providerEventId}#${mark}` })
  const isRepeated = isSameContent(known, event, signature === 'pulled')
  if (!isRepeated) {
    const changed = { ...stored, event: under(`changed-${digestOf(event)}`) }
    const decided = { status: 'review', reason: 'changed-notice' } as const
    if ((await insertEvent(deps.db, { ...changed, decided })) !== undefined) {
      count('portal_notifications_total', { provider, outcome: 'review' })
      deps.log.warn(
        { provider, providerEventId, bodyHash: sha256Hex(stored.raw) },
        'a bank notification came again with another body',
      )
      return
    }
  }
  if (signature !== 'valid') return
  const decided = { status: 'duplicate', reason: 'repeated' } as const
  await insertEvent(deps.db, { ...stored, event: under(`repeat-${randomUUID()}`), decided })
  count('portal_notifications_total', { provider, outcome: 'duplicate' })
}

const digestOf = (event: BankEvent) =>
  sha256Hex(JSON.stringify({ ...event, fullText: '', payerAccount: null })).slice(0, 16)

/** Which of a provider's payment events there are. */
export const knownEvents = async (
  db: BankInboxDeps['db'],
  provider: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => new Set((await listStoredUnder(db, provider, ids)).keys())

/**
 * Takes in the rows of a provider's list, as far as they say something new, also behind one that fails, for which it throws at
 * the end; returns those of movements nobody knew.
 */
export async function takeInRows(
  deps: BankInboxDeps,
  { provider, rows, unreadable }: PulledList & { provider: string },
): Promise<PulledList['rows']> {
  const known = await listStoredUnder(
    deps.db,
    provider,
    [...rows, ...unreadable].map(({ event }) => event.providerEventId),
  )
  const isNews = ({ event }: PulledList['rows'][number]) => {
    const stored = known.get(event.providerEventId)
    return stored === undefined || !isSameContent(stored, event, true)
  }
  const found: PulledList['rows'] = []
  const news = [
    ...rows.map((row) => ({ row, isMovement: true, stored: row })),
    ...unreadable.map(({ mayCarryMoney, ...row }) => ({
      row,
      isMovement: false,
      stored: { ...row, decided: unreadableOutcome(mayCarryMoney) },
    })),
  ].filter(({ row }) => isNews(row))
  await doEach(
    news,
    ({ row }) => row.event.providerEventId,
    async ({ row, isMovement, stored }) => {
      const isNew = await takeInEvent(deps, { ...stored, signature: 'pulled' })
      if (isNew && isMovement) found.push(row)
    },
  )
  return found
}

/** What nobody can read waits for a person, unless it cannot be about money that came. */
export const unreadableOutcome = (mayCarryMoney: boolean) =>
  ({ status: mayCarryMoney ? 'review' : 'ignored', reason: 'unreadable-notice' }) as const

type Case = {
  input: MatchInput
  /** The known transfer that this one is, or may be. */
  likeness: Likeness | null
  order: LockedOrder | undefined
  player: (NotifiedTrader & { transferId: string }) | undefined
}

async function decideAndDo(
  deps: BankInboxDeps,
  tx: Tx,
  { stored, requestId, input, likeness, order, player }: Case & ToSettle,
): Promise<EventOutcome> {
  const { event } = stored
  const decision = decideMatch(input)
  const accountNumber = ourAccount(input) ?? event.virtualAccount ?? event.accountNumber
  if (decision.outcome === 'credit') {
    invariant(order && player, 'a credit belongs to an order and its player')
    const { amount, orderStatus: status } = decision
    const transfer = { id: player.transferId, bankRef: event.bankRef, bookedAt: event.bookedAt }
    await creditTransfer(deps, tx, {
      player,
      amount,
      rate: order.rate,
      event: { ...stored, accountNumber },
      transfer,
      at: input.now,
      paidAt: paymentTime(order, event, input.now),
      reversals: 0,
      actor: { requestId },
      order: { ...order, status },
    })
    return { status: 'applied', reason: null, bankTransactionId: transfer.id }
  }
  const { reason } = decision
  const isReview = decision.outcome === 'review'
  const known = { reason, bankTransactionId: likeness?.transferId ?? null }
  if (reason === 'same-transfer') return { status: 'duplicate', ...known }
  if (reason === 'reference-conflict') return { status: 'review', ...known }
  if (reason === 'outgoing' && likeness?.isCertain) return { status: 'ignored', ...known }
  if (!isReview && reason !== 'outgoing') return { status: 'ignored', reason, bankTransactionId: null }
  const bankTransactionId = await insertBankTransaction(tx, {
    event: { ...event, accountNumber },
    state: isReview ? 'review' : 'ignored',
    reason,
    order,
  })
  if (isReview && order && (order.status === 'pending' || order.status === 'expired')) {
    // The money has arrived: the player should read that it is being checked, not that nothing came.
    await markOrderInReview(tx, order.id)
  }
  return { status: isReview ? 'review' : 'ignored', reason, bankTransactionId }
}

/** Locks the event, and the order and its player when it names one. Undefined when the event is not ours to decide. */
async function gather(tx: Tx, stored: StoredEvent): Promise<Case | undefined> {
  const { event } = stored
  const codes = orderCodesOf(event)
  const [code] = codes
  const lockedAt = await lockNewEventWithNext(tx, stored)
  // With two codes a person decides whatever the orders are.
  const named = code !== undefined && codes.length === 1 ? await lockNamed(tx, { code, event }) : undefined
  const { order, player } = named ?? {}
  const settings = player === undefined ? await readSettings(tx) : settingsOf(player.texts)
  const now = lockedAt()
  if (now === undefined) return undefined
  const isAtGateway = event.provider === 'momo'
  const orders = order ? [toMatch(order, player, now)] : []
  const reports = player === undefined ? await listReportsUnder(tx, event) : toReports(player.reports)
  const likeness = likenessOf({ ...event, bookedAt: stored.toldAt }, reports, orders)
  const input: MatchInput = {
    event,
    isTest: isTrialEvent(event),
    gateway: isAtGateway ? { requestId: event.fullText } : null,
    codes,
    orders,
    receivingAccounts: [
      ...openChannels(settings.bankAccounts).map(({ account }) => account.number),
      // Notifications of other partner codes were refused before.
      ...(isAtGateway ? [event.accountNumber] : []),
    ],
    likeness,
    limits: { minVnd: settings.rechargeMin, maxVnd: settings.rechargeMax },
    rate: settings.rechargeRate,
    now,
  }
  return { input, likeness, order, player }
}

/** The order and its player, read in a statement of its own after the locks, which may have been waited for. */
async function lockNamed(tx: Tx, { code, event }: Pick<StoredEvent, 'event'> & { code: string }) {
  const { order, payer } = await lockOrderWithNext(tx, code)
  const player = await lockNotifiedTrader(tx, payer, {
    texts: storedTexts,
    transferId: nextTransferId,
    reports: reportsUnder(event),
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

const SWEPT_PER_ROUND = 100
/** The request that brought an event decides about it at once; the sweeper leaves it alone that long. */
const GRACE_SECONDS = 2

/** Decides about events whose request did not get to it; true when it decided about some. */
export const sweepEvents = (deps: BankInboxDeps): Promise<boolean> =>
  workOff(deps, {
    job: 'recharge sweeper',
    limit: SWEPT_PER_ROUND,
    list: (db, isResting) =>
      listUndecidedEvents(db, isResting, { limit: SWEPT_PER_ROUND, graceSeconds: GRACE_SECONDS }),
    work: async (eventId) => (await settleEvent(deps, { eventId })) !== undefined,
  })
