import type { ActAnswer, PaymentEvent, PaymentEventDetail } from '#contract/operator/bank-transfers.ts'
import { actAsOperator, type Recorded } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { answerOf, type ActRequest } from '../operator/bank-transfers.service.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import { insertAct } from '../operator/bank-transfers.queries.ts'
import { alreadyHandled, sentAgainInTime, unreadableEvent } from '../operator/bank-transfers.errors.ts'
import {
  countOpenEvents,
  deleteOldBodies,
  findEvent,
  listOpenEvents,
  lockEvent,
  type EventFilter,
  type LockedEvent,
} from './payment-events.queries.ts'
import { markEvent } from './settlement.queries.ts'
import { claimTransfer } from './settlement.service.ts'

export async function listEvents(
  db: Db,
  filter: EventFilter,
  page: ListPage,
): Promise<ListRows<PaymentEvent>> {
  return { total: () => countOpenEvents(db, filter), rows: await listOpenEvents(db, filter, page) }
}

export async function getEvent(db: Db, id: string): Promise<PaymentEventDetail> {
  return orNotFound(await findEvent(db, id))
}

/**
 * Accepts a payment event as genuine. Its transfer comes into review, where it is matched like any other; one that is
 * known by its reference and amount already gets no second row. Nothing is credited here.
 */
export async function acceptEvent(deps: BankInboxDeps, request: ActRequest<unknown>): Promise<ActAnswer> {
  const { id, operator, body } = request
  return actAsOperator(deps, request.call, {
    action: 'payment-events.accept',
    async work(tx) {
      const event = await lockOpenEvent(tx, id)
      if (event.hasFresh) throw sentAgainInTime()
      if (event.amountVnd < 1 || event.accountNumber === '') throw unreadableEvent()
      const { transferId, isNew } = await transferOf(tx, event)
      const [status, reason] = isNew
        ? (['review', 'accepted-notice'] as const)
        : (['duplicate', 'same-transfer'] as const)
      await markEvent(tx, id, { status, reason, bankTransactionId: transferId })
      if (isNew)
        await insertAct(tx, {
          bank_transaction_id: transferId,
          act: 'accept',
          operator_id: operator.id,
          reason: body.reason,
          details: { event_id: id },
        })
      const answer = await answerOf(tx, transferId, { status: 'done' })
      return { answer, audit: recorded(id, { bank_transaction_id: transferId, is_new: isNew }) }
    },
  })
}

const recorded = (id: string, details: Record<string, unknown>): Recorded => ({
  subject: { type: 'payment_event', id },
  details,
})

async function transferOf(tx: Tx, event: LockedEvent): Promise<{ transferId: string; isNew: boolean }> {
  const isIn = event.direction === 'in'
  const undecided = {
    state: isIn ? 'review' : 'ignored',
    reason: isIn ? 'accepted-notice' : 'outgoing',
  } as const
  const claimed = await claimTransfer(tx, { event, ...undecided })
  if (claimed.isNew || (claimed.amountVnd === event.amountVnd && !isConflict(event)))
    return { transferId: claimed.id, isNew: claimed.isNew }
  // A bank that gave one reference to two transfers: the operator has confirmed this one as well.
  const own = await claimTransfer(tx, { event: { ...event, bankRef: null }, ...undecided })
  return { transferId: own.id, isNew: true }
}

/** The event contradicts the known transfer with the same reference. */
const isConflict = ({ reason }: LockedEvent) => reason === 'reference-conflict'

/** Nothing will be done about a payment event. */
export async function dismissEvent(
  deps: BankInboxDeps,
  request: ActRequest<unknown>,
): Promise<{ id: string; status: string }> {
  const { id } = request
  return actAsOperator(deps, request.call, {
    action: 'payment-events.dismiss',
    async work(tx) {
      await lockOpenEvent(tx, id)
      await markEvent(tx, id, { status: 'ignored', reason: 'dismissed-notice' })
      return { answer: { id, status: 'ignored' }, audit: recorded(id, {}) }
    },
  })
}

async function lockOpenEvent(tx: Tx, id: string): Promise<LockedEvent> {
  const event = orNotFound(await lockEvent(tx, id))
  if (!event.isOpen) throw alreadyHandled()
  return event
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
