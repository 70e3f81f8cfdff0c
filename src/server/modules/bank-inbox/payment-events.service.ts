import type { ActAnswer, PaymentEvent } from '#contract/operator/bank-transfers.ts'
import { describeReason } from '#contract/operator/transfer-reasons.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { answerOf, onceFor, type Asked } from './acting.service.ts'
import type { BankInboxDeps, Operator } from './bank-inbox-deps.ts'
import { insertAct } from './acts.queries.ts'
import { alreadyHandled, sentAgainInTime, unreadableEvent } from './bank-transfers.errors.ts'
import {
  countOpenEvents,
  deleteOldBodies,
  listOpenEvents,
  lockEvent,
  markEvent,
  type LockedEvent,
  type EventFilter,
} from './payment-events.queries.ts'
import { claimTransfer } from './settlement.service.ts'

/** What was signed too long ago, could not be read, or contradicts another notification; the oldest first. */
export async function listEvents(
  db: Db,
  filter: EventFilter,
  page: ListPage,
): Promise<ListRows<PaymentEvent>> {
  const rows = await listOpenEvents(db, filter, page)
  return { total: await countOpenEvents(db, filter), rows: rows.map(describe) }
}

const describe = (row: Awaited<ReturnType<typeof listOpenEvents>>[number]): PaymentEvent => ({
  id: row.id,
  provider: row.provider,
  provider_event_id: row.provider_event_id,
  signature: row.signature as PaymentEvent['signature'],
  status: row.status as PaymentEvent['status'],
  reason: row.reason,
  reason_text: describeReason(row.reason),
  direction: row.direction as PaymentEvent['direction'],
  amount: parseCoins(row.amount),
  account_number: row.account_number,
  bank_ref: row.bank_ref,
  booked_at: row.booked_at?.toISOString() ?? null,
  received_at: row.received_at.toISOString(),
  memo: row.memo,
  bank_transfer_id: row.bank_transaction_id,
})

/**
 * Accepts a notification as genuine. Its transfer comes into review, where it is matched like any other; one that is known
 * by its reference and amount already gets no second row. Nothing is credited here.
 */
export async function acceptEvent(deps: BankInboxDeps, asked: Asked<unknown>): Promise<ActAnswer> {
  const { id, operator, body } = asked
  return onceFor(deps, { ...asked, act: 'accept' }, async (tx) => {
    const notice = await lockOpenEvent(tx, id)
    if (notice.hasFresh) throw sentAgainInTime()
    if (notice.amountVnd < 1 || notice.accountNumber === '') throw unreadableEvent()
    const { transferId, isNew } = await transferOf(tx, notice)
    if (isNew) {
      await markEvent(tx, id, { status: 'review', reason: 'accepted-notice', transferId })
      const act = { transferId, act: 'accept', operatorId: operator.id, reason: body.reason }
      await insertAct(tx, { ...act, details: { event_id: id } })
    } else {
      await markEvent(tx, id, { status: 'duplicate', reason: 'same-transfer', transferId })
    }
    const answer = await answerOf(tx, transferId, { status: 'done' })
    await record(tx, { ...asked, act: 'accept' }, { bank_transaction_id: transferId, is_new: isNew })
    return { answer, resultType: 'bank_transaction', resultId: transferId }
  })
}

async function transferOf(tx: Tx, notice: LockedEvent): Promise<{ transferId: string; isNew: boolean }> {
  const isIn = notice.direction === 'in'
  const standing = {
    state: isIn ? 'review' : 'ignored',
    reason: isIn ? 'accepted-notice' : 'outgoing',
  } as const
  const claimed = await claimTransfer(tx, { event: notice, ...standing })
  if (claimed.isNew || (claimed.amountVnd === notice.amountVnd && !isConflict(notice)))
    return { transferId: claimed.id, isNew: claimed.isNew }
  // A bank that gave one reference to two transfers: the operator says that this one is real too.
  const own = await claimTransfer(tx, { event: { ...notice, bankRef: null }, ...standing })
  return { transferId: own.id, isNew: true }
}

/** Held against the transfer that is known, it was found to tell of another one. */
const isConflict = ({ reason }: LockedEvent) => reason === 'reference-conflict'

/** Nothing will be done about a notification. */
export async function dismissEvent(
  deps: BankInboxDeps,
  asked: Asked<unknown>,
): Promise<{ id: string; status: string }> {
  return onceFor(deps, { ...asked, act: 'dismiss' }, async (tx) => {
    await lockOpenEvent(tx, asked.id)
    await markEvent(tx, asked.id, { status: 'ignored', reason: 'dismissed-notice' })
    await record(tx, { ...asked, act: 'dismiss' }, {})
    return {
      answer: { id: asked.id, status: 'ignored' },
      resultType: 'payment_event',
      resultId: asked.id,
    }
  })
}

async function lockOpenEvent(tx: Tx, id: string): Promise<LockedEvent> {
  const notice = await lockEvent(tx, id)
  if (notice === undefined) throw notFound()
  if (!notice.isOpen) throw alreadyHandled()
  return notice
}

type Decided = { act: string; id: string; operator: Operator; body: { reason: string } }

async function record(
  tx: Tx,
  { act, id, operator, body }: Decided,
  details: Record<string, unknown>,
): Promise<void> {
  await appendAudit(tx, {
    actor: { kind: 'operator', id: operator.id },
    action: `payment-events.${act}`,
    subject: { type: 'payment_event', id },
    reason: body.reason,
    details,
    requestId: operator.requestId,
  })
}

const BODY_MONTHS_MAX = 24
const ERASED_AT_ONCE = 1_000

/**
 * Erases one batch of what payers wrote, once it is old and nothing is left to decide about it; true when there may be
 * more. The events themselves stay.
 */
export async function eraseOldBodies({ db }: Pick<BankInboxDeps, 'db'>): Promise<boolean> {
  return (await deleteOldBodies(db, { months: BODY_MONTHS_MAX, limit: ERASED_AT_ONCE })) === ERASED_AT_ONCE
}
