import type { ActAnswer, PaymentEvent, PaymentEventDetail } from '#contract/operator/bank-transfers.ts'
import { actAsOperator, type Recorded } from '#server/modules/audit/index.ts'
import { openChannels, orderCodesOf } from '#server/modules/recharge/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { likenessOf } from '../matching/likeness.ts'
import { ourAccount } from '../matching/matching.rules.ts'
import { suggestForEach } from '../matching/suggestions.service.ts'
import { answerOf, type ActRequest } from '../operator/bank-transfers.service.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import { insertAct } from '../operator/bank-transfers.queries.ts'
import { alreadyHandled, sentAgainInTime, unreadableEvent } from '../operator/bank-transfers.errors.ts'
import {
  countStoredEvents,
  removeOldBodies,
  findEvent,
  listStoredEvents,
  lockEvent,
  type EventFilter,
  type LockedEvent,
} from './payment-events.queries.ts'
import {
  insertBankTransaction,
  listReportsUnder,
  markEvent,
  takeTurnUnderReference,
} from './settlement.queries.ts'

export async function listEvents(
  db: Db,
  filter: EventFilter,
  page: ListPage,
): Promise<ListRows<PaymentEvent>> {
  return { total: () => countStoredEvents(db, filter), rows: await listStoredEvents(db, filter, page) }
}

export async function getEvent(db: Db, id: string): Promise<PaymentEventDetail> {
  const { bytes, code, ...event } = orNotFound(await findEvent(db, id))
  const { amount, account_number, virtual_account, bank_ref, booked_at, received_at: created_at } = event
  const isOfNoTransfer = event.direction === 'in' && event.bank_transfer_id === null && amount > 0
  const money = { amount, account_number: virtual_account ?? account_number, bank_ref, booked_at, created_at }
  return {
    ...event,
    raw: bytes && bytes.toString('utf8').replaceAll('\u0000', ''),
    suggestions: isOfNoTransfer
      ? (await suggestForEach(db, [{ ...money, events: [{ ...event, code }] }])).flat()
      : [],
  }
}

/**
 * Accepts a payment event as genuine. Its transfer comes into review, where it is matched like any other; one that is
 * certainly known already gets no second row. Nothing is credited here.
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

/** The transfer it reports again for certain, unless it waits because it may be another one; else a new row. */
async function transferOf(tx: Tx, event: LockedEvent): Promise<{ transferId: string; isNew: boolean }> {
  await takeTurnUnderReference(tx, event)
  const named = orderCodesOf(event).map((code) => ({ code }))
  const told = { ...event, bookedAt: event.toldAt }
  const known = likenessOf(told, await listReportsUnder(tx, event), named)
  if (known?.isCertain && event.reason !== 'reference-conflict')
    return { transferId: known.transferId, isNew: false }
  const isIn = event.direction === 'in'
  const { bankAccounts } = await readSettings(tx)
  const receivingAccounts = openChannels(bankAccounts).map(({ account }) => account.number)
  const ours = ourAccount({ event, orders: [], receivingAccounts })
  const transferId = await insertBankTransaction(tx, {
    event: { ...event, accountNumber: ours ?? event.virtualAccount ?? event.accountNumber },
    state: isIn ? 'review' : 'ignored',
    reason: isIn ? 'accepted-notice' : 'outgoing',
  })
  return { transferId, isNew: true }
}

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

/**
 * Erases one batch of what payers wrote, once it is old and nothing is left to decide about it; true when there may be
 * more. The events themselves stay.
 */
export const eraseOldBodies = (deps: Pick<BankInboxDeps, 'db' | 'log'>): Promise<boolean> =>
  removeOldBodies(deps, BODY_MONTHS_MAX)
