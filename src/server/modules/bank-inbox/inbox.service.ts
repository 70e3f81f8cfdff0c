import {
  type BankTransfer,
  type BankTransferDetail,
  type operatorBankTransfers,
  type Proposal,
} from '#contract/operator/bank-transfers.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import type { GatewayRefund } from '#contract/operator/gateway-refunds.ts'
import { describeReason } from '#contract/operator/transfer-reasons.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import { channelsNow, openChannels, type OpenChannel } from '#server/modules/recharge/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { invalidField, notFound } from '#server/platform/http/refusal.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'
import { momentOf } from './bank-transfers.rules.ts'
import { listRefundsOf, type StoredRefund } from './gateway-refunds.queries.ts'
import {
  countStoredTransfers,
  findOrderId,
  hasReference,
  listActsOf,
  listEventsOf,
  listStoredTransfers,
  type StoredProposal,
  type StoredTransfer,
  type TransferFilter,
} from './inbox.queries.ts'
import { suggestFor } from './suggestions.service.ts'

type ChannelOf = (accountNumber: string) => number | null

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
  const channelOf: ChannelOf = (number) =>
    channels.find(({ account }) => account.number === number)?.channel ?? null
  return {
    total: await countStoredTransfers(db, filter),
    rows: rows.map((row) => describeTransfer(row, channelOf)),
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

/** Money may be on the wallet's own account and on the merchant's, whichever orders name today. */
async function receivingChannels({ db, payments }: BankInboxDeps): Promise<OpenChannel[]> {
  const { bankAccounts } = await readSettings(db)
  return [...openChannels(bankAccounts), ...channelsNow(payments, bankAccounts)]
}

export async function getTransfer(deps: BankInboxDeps, id: string): Promise<BankTransferDetail> {
  const { db } = deps
  const [stored] = await listStoredTransfers(db, { ids: [id] }, { order: 'asc', from: 0, to: 0 })
  if (stored === undefined) throw notFound()
  const channels = await receivingChannels(deps)
  const events = await listEventsOf(db, id)
  return {
    ...describeTransfer(
      stored,
      (number) => channels.find(({ account }) => account.number === number)?.channel ?? null,
    ),
    events: events.map((event) => ({
      id: event.id,
      provider: event.provider,
      provider_event_id: event.provider_event_id,
      signature: event.signature as 'valid' | 'stale' | 'pulled',
      status: event.status,
      reason: event.reason,
      amount: parseCoins(event.amount),
      received_at: event.received_at.toISOString(),
      memo: event.memo,
      full_text: event.full_text,
    })),
    acts: (await listActsOf(db, id)).map((act) => ({
      act: act.act,
      operator: { id: act.operator_id, username: act.username },
      reason: act.reason,
      details: act.details,
      created_at: act.created_at.toISOString(),
    })),
    refunds: (await listRefundsOf(db, id)).map(describeRefund),
    suggestions: await suggestFor(db, stored, events),
  }
}

function describeTransfer(row: StoredTransfer, channelOf: ChannelOf): BankTransfer {
  return {
    id: row.id,
    account_number: row.accountNumber,
    channel: channelOf(row.accountNumber),
    direction: row.direction,
    amount: row.amount,
    bank_ref: row.bankRef,
    booked_at: row.bookedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    state: row.state,
    reason: row.reason,
    reason_text: describeReason(row.reason),
    memo: row.memo,
    providers: row.providers,
    order_code: row.orderCode,
    user: personOf(row),
    credited: row.credited,
    reversal_of: row.reversalOf,
    waiting: row.waiting && describeProposal(row.waiting),
  }
}

export function personOf(row: Pick<StoredTransfer, 'userId' | 'username'>) {
  return row.userId === null || row.username === null ? null : { id: row.userId, username: row.username }
}

export function describeProposal(row: StoredProposal): Proposal {
  return {
    id: row.id,
    act: row.act,
    order_code: row.orderCode,
    user: { id: row.userId, username: row.username },
    coins: parseCoins(row.coins),
    reason: row.reason,
    proposed_by: { id: row.proposedBy, username: row.proposerName },
    proposed_at: new Date(row.proposedAt).toISOString(),
  }
}

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
