import type {
  BankTransfer,
  BankTransferDetail,
  operatorBankTransfers,
  severalBankTransfers,
} from '#contract/operator/bank-transfers.ts'
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type { GatewayRefund } from '#contract/operator/gateway-refunds.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { describeReason } from '#contract/operator/words.ts'
import { describeActs } from '#server/modules/audit/index.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import { findOrderId, receivingChannels, type OpenChannel } from '#server/modules/recharge/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { invalidField, notFound } from '#server/platform/values/errors.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import { momentOf } from '../matching/suggestions.rules.ts'
import { listRefundsOf, type StoredRefund } from '../gateway-refunds/gateway-refunds.queries.ts'
import {
  countStoredTransfers,
  hasReference,
  listActsOf,
  listEventsOf,
  listStoredTransfers,
  type StoredTransfer,
  type TransferFilter,
} from './bank-transfers.queries.ts'
import { suggestForEach } from '../matching/suggestions.service.ts'

import {
  countInReviewOf,
  countOpenRefundsOf,
  deleteEventBodiesOf,
  selectOrderPayment,
  selectUsualSeconds,
  transfersOfPerson,
} from '../transfer-reads.queries.ts'

// Parts of statements of other modules: none of them names the table of bank transfers.
export { memoOfTransfer } from './bank-transfers.queries.ts'
export { eventsFound } from '../intake/payment-events.queries.ts'
export { openEventsOfDay, orderCodeOf, transfersOfDay } from '../transfer-reads.queries.ts'

type Given = NonNullable<QueryOf<typeof operatorBankTransfers.list>['filter']>

/** In the order of arrival; those in review unless something else is looked for. */
export async function listTransfers(
  deps: BankInboxDeps,
  given: Given,
  page: ListPage,
): Promise<ListRows<BankTransfer>> {
  const { db } = deps
  const channels = await receivingChannels(deps)
  const filter = await readFilter(db, given, (channel) =>
    channels.filter((open) => open.channel === channel).map(({ account }) => account.number),
  )
  if (filter === null) return { total: 0, rows: [] }
  const rows = await listStoredTransfers(db, filter, page)
  return {
    total: () => countStoredTransfers(db, filter),
    rows: rows.map((row) => describeTransfer(row, channels)),
  }
}

/** Null when it names an order, a reference or a player there is not. */
async function readFilter(
  db: Db,
  { id, state, channel, account, from, to, q, waiting, ...facts }: Given,
  accountsOf: (channel: number) => string[],
): Promise<TransferFilter | null> {
  const isSearched = q !== undefined || id !== undefined || waiting === true
  const filter: TransferFilter = {
    ...facts,
    ids: id,
    state: state === undefined && !isSearched ? 'review' : state === 'all' ? undefined : state,
    accounts: channel !== undefined ? accountsOf(channel) : account !== undefined ? [account] : undefined,
    from: from === undefined ? undefined : timeOf('from', from),
    before: to === undefined ? undefined : timeOf('to', to),
    isWaiting: waiting,
  }
  const searched = q === undefined ? {} : await readSearch(db, q)
  return searched && { ...filter, ...searched }
}

function timeOf(name: 'from' | 'to', value: string): Date {
  const moment = momentOf(value, name === 'to')
  if (moment === null) throw invalidField('filter', `Giá trị lọc của ${name} không hợp lệ`)
  return moment
}

/** An order's code, a bank's reference, or else a username; each of them exactly. */
async function readSearch(db: Db, text: string): Promise<TransferFilter | null> {
  const orderId = await findOrderId(db, text.toUpperCase())
  if (orderId !== undefined) return { orderId }
  if (await hasReference(db, text)) return { reference: text }
  const player = await findTraderByUsername(db, text)
  return player ? { userId: player.id } : null
}

export async function getTransfer(deps: BankInboxDeps, id: string): Promise<BankTransferDetail> {
  const { db } = deps
  const [stored] = await listStoredTransfers(db, { ids: [id] }, { order: 'asc', from: 0, to: 0 })
  if (stored === undefined) throw notFound()
  const channels = await receivingChannels(deps)
  const events = await listEventsOf(db, [id])
  const own = events.filter(({ isOwn }) => isOwn)
  return {
    ...describeTransfer(stored, channels),
    events: own.map(describeEvent),
    conflicting_events: events.filter(({ isOwn }) => !isOwn).map(describeEvent),
    acts: await describeActsOf(db, id),
    refunds: (await listRefundsOf(db, id)).map(describeRefund),
    suggestions: isUndecided(stored) ? (await suggestForEach(db, [{ ...stored, events: own }])).flat() : [],
  }
}

/** What operators did with a transfer, in the words of the audit trail. */
async function describeActsOf(db: Db, id: string): Promise<BankTransferDetail['acts']> {
  const acts = (await listActsOf(db, id)).map((row) => ({ ...row, ...asAudited(id, row) }))
  return (await describeActs(db, acts)).map(
    ({ act, operator_id, username, reason, details, created_at, sentence, changes }) => ({
      act,
      operator: { id: operator_id, username },
      reason,
      details,
      created_at: created_at.toISOString(),
      sentence,
      changes,
    }),
  )
}

/** The history of a transfer has short names, and its own for a payment event that was accepted. */
function asAudited(id: string, { act, details }: { act: string; details: unknown }) {
  const facts = (details ?? {}) as Record<string, unknown>
  if (act === 'accept')
    return {
      action: 'payment-events.accept',
      subject: { type: 'payment_event', id: String(facts['event_id']) },
      details: facts,
    }
  return { action: `bank-transfers.${act}`, subject: { type: 'bank_transaction', id }, details: facts }
}

/** What is suggested for each; ids that are none are left out. */
export async function listSuggestedOrders(
  deps: BankInboxDeps,
  ids: readonly string[],
): Promise<AnswerOf<typeof severalBankTransfers.suggestedOrders>> {
  const { db } = deps
  const stored = await listStoredTransfers(
    db,
    { ids: [...ids] },
    { order: 'asc', from: 0, to: ids.length - 1 },
  )
  const channels = await receivingChannels(deps)
  const open = stored.filter((row) => row.waiting === null && isUndecided(row))
  const reported = await listEventsOf(
    db,
    open.map(({ id }) => id),
  )
  const events = Map.groupBy(
    reported.filter(({ isOwn }) => isOwn),
    ({ transferId }) => transferId,
  )
  const suggested = await suggestForEach(
    db,
    open.map((row) => ({ ...row, events: events.get(row.id) ?? [] })),
  )
  const suggestions = new Map(open.map(({ id }, place) => [id, suggested[place]]))
  return stored.map((row) => ({
    transfer: describeTransfer(row, channels),
    suggestion:
      suggestions.get(row.id)?.find(({ order }) => order !== null && !order.status.startsWith('paid')) ??
      null,
  }))
}

const isUndecided = ({ direction, state }: StoredTransfer): boolean =>
  direction === 'in' && state !== 'credited' && state !== 'refunded'

type StoredEvent = Awaited<ReturnType<typeof listEventsOf>>[number]

const describeEvent = (event: StoredEvent): BankTransferDetail['events'][number] => ({
  ...event,
  amount: parseCoins(event.amount),
  received_at: event.received_at.toISOString(),
})

const describeTransfer = (row: StoredTransfer, channels: OpenChannel[]): BankTransfer => ({
  ...row,
  channel: channels.find(({ account }) => account.number === row.account_number)?.channel ?? null,
  reason_text: describeReason(row.reason),
})

export function describeRefund(row: StoredRefund): GatewayRefund {
  return {
    id: row.id,
    refund_order: row.refundOrder,
    amount: row.amount,
    state: row.state,
    result_code: row.resultCode,
    asked_by: row.askedBy,
    reason: row.reason,
    asked_at: row.askedAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
  }
}

/** What came for an order of a player: the transfer that was credited, or else the first that waits for a person. */
export async function findOrderPayment(
  db: Db,
  order: { code: string; userId: string },
): Promise<RechargeOrder['payment']> {
  const row = await selectOrderPayment(db, order)
  return (
    row && {
      amount: parseCoins(row.amount),
      bank_reference: row.bank_ref,
      arrived_at: row.arrived_at.toISOString(),
      // Null while it waits for a person.
      credited_at: row.state === 'credited' ? (row.paid_at?.toISOString() ?? null) : null,
    }
  )
}

/** The newest payments that are measured, and how many of the last days make a usual time. */
const MEASURED_MAX = 200
const MEASURED_MIN = 5
const MEASURED_DAYS = 7

/** The median of the seconds from bank to wallet over the last payments that matched; null while they are too few. */
export async function findUsualSeconds(db: Db): Promise<number | null> {
  const { seconds, count } = await selectUsualSeconds(db, { paymentsMax: MEASURED_MAX, days: MEASURED_DAYS })
  return seconds === null || Number(count) < MEASURED_MIN ? null : Number(seconds)
}

/** What the bank reported stays as figures; what was written on the transfers goes, and leaves its seal. */
export const personalTransfers: PersonalPart = {
  lists: { bank_transfers: transfersOfPerson },
  erase: deleteEventBodiesOf,
  open: { 'bank-transfer': countInReviewOf, refund: countOpenRefundsOf },
}
