import {
  TRANSFER_STATES,
  type BankTransfer,
  type BankTransferDetail,
  type Proposal,
} from '#contract/operator/bank-transfers.ts'
import type { GatewayRefund } from '#contract/operator/gateway-refunds.ts'
import { describeReason } from '#contract/operator/transfer-reasons.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import { channelsNow, openChannels, type OpenChannel } from '#server/modules/recharge/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { assertWithinReach, type ListRequest, wrongFilter } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
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

export const TRANSFER_LIST = {
  sorts: ['created_at', 'id'],
  filters: [
    'id',
    'state',
    'reason',
    'direction',
    'channel',
    'account',
    'amount',
    'from',
    'to',
    'q',
    'waiting',
  ],
} as const

type ChannelOf = (accountNumber: string) => number | null

/** In the order of arrival, the oldest first unless asked otherwise; those in review unless something else is looked for. */
export async function listTransfers(
  deps: BankInboxDeps,
  list: ListRequest,
): Promise<{ total: number; rows: BankTransfer[] }> {
  assertWithinReach(list)
  const { db } = deps
  const channels = await receivingChannels(deps)
  const filter = await readFilter(db, list.filter, (channel) =>
    channels.filter((open) => open.channel === channel).map(({ account }) => account.number),
  )
  if (filter === null) return { total: 0, rows: [] }
  const rows = await listStoredTransfers(db, filter, { order: list.order, from: list.from, to: list.to })
  const channelOf: ChannelOf = (number) =>
    channels.find(({ account }) => account.number === number)?.channel ?? null
  return {
    total: await countStoredTransfers(db, filter),
    rows: rows.map((row) => describeTransfer(row, channelOf)),
  }
}

type Given = ListRequest['filter']

/** Null when it names an order, a reference or a player there is not. */
async function readFilter(
  db: Db,
  given: Given,
  accountsOf: (channel: number) => string[],
): Promise<TransferFilter | null> {
  const filter: TransferFilter = { ...readFacts(given), ...readTimes(given) }
  if (given.channel !== undefined) {
    if (![1, 2, 3].includes(given.channel as number)) throw wrongFilter('channel')
    filter.accounts = accountsOf(given.channel as number)
  }
  const isSearched = given.q !== undefined || given.id !== undefined || given.waiting === true
  if (given.state === undefined && !isSearched) filter.state = 'review'
  if (given.q === undefined) return filter
  const searched = await readSearch(db, given.q)
  return searched && { ...filter, ...searched }
}

function readFacts(given: Given): TransferFilter {
  const filter: TransferFilter = {}
  const { id, state, reason, direction, account, amount, waiting } = given
  if (id !== undefined) filter.id = oneOf('id', String(id), /^[1-9]\d{0,17}$/)
  if (state !== undefined && state !== 'all') {
    const known = TRANSFER_STATES.find((name) => name === state)
    if (known === undefined) throw wrongFilter('state')
    filter.state = known
  }
  if (reason !== undefined) filter.reason = oneOf('reason', reason, /^[a-z0-9_-]{1,64}$/)
  if (direction !== undefined) {
    if (direction !== 'in' && direction !== 'out') throw wrongFilter('direction')
    filter.direction = direction
  }
  if (account !== undefined) filter.accounts = [oneOf('account', account, /^[0-9A-Za-z]{1,40}$/)]
  if (amount !== undefined) {
    if (!Number.isSafeInteger(amount) || (amount as number) < 1) throw wrongFilter('amount')
    filter.amount = amount as number
  }
  if (waiting !== undefined) {
    if (waiting !== true) throw wrongFilter('waiting')
    filter.isWaiting = true
  }
  return filter
}

function oneOf(name: string, value: Given[string] | undefined, shape: RegExp): string {
  if (typeof value !== 'string' || !shape.test(value)) throw wrongFilter(name)
  return value
}

function readTimes({ from, to }: Given): Pick<TransferFilter, 'from' | 'before'> {
  return {
    ...(from === undefined ? {} : { from: timeOf('from', from) }),
    ...(to === undefined ? {} : { before: timeOf('to', to) }),
  }
}

function timeOf(name: 'from' | 'to', value: Given[string]): Date {
  const moment = typeof value === 'string' ? momentOf(value, name === 'to') : null
  if (moment === null) throw wrongFilter(name)
  return moment
}

/** An order's code, a bank's reference, or else a username; each of them exactly. */
async function readSearch(db: Db, q: Given[string]): Promise<TransferFilter | null> {
  if (typeof q !== 'string' || q.length > 100 || q.includes('\0')) throw wrongFilter('q')
  const text = q.trim()
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
  const [stored] = await listStoredTransfers(db, { id }, { order: 'asc', from: 0, to: 0 })
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
