import type { AnswerOf } from '#contract/endpoint.ts'
import { COINS_MAX } from '#contract/fields.ts'
import type { OperatorAct } from '#contract/operator/act-guards.ts'
import type { ActAnswer, severalBankTransfers } from '#contract/operator/bank-transfers.ts'
import {
  actOnSeveral,
  countAlone,
  actAsOperator,
  type ActCall,
  type Recorded,
} from '#server/modules/audit/index.ts'
import {
  insertTransferProposal,
  type CreditProposal,
  findTransferProposal,
} from '#server/modules/proposals/index.ts'
import {
  lockOrder,
  closeOrderInReview,
  lockOrderById,
  type LockedOrder,
} from '#server/modules/recharge/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import {
  findTrader,
  findTraderByUsername,
  lockNotifiedTrader,
  playerErased,
  type Trader,
} from '#server/modules/traders/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { orNotFound, invariant } from '#server/platform/values/errors.ts'
import { boundsOfDay } from '#server/platform/values/vietnam-time.rules.ts'
import type { BankInboxDeps, Operator } from '../bank-inbox-deps.ts'
import { creditTransfer, ledgerActor } from '../crediting/crediting.service.ts'
import { sumRefunds, type StoredRefund } from '../gateway-refunds/gateway-refunds.queries.ts'
import { paidStatus, paymentTime } from '../matching/matching.rules.ts'
import {
  alreadyHandled,
  noSuchDay,
  onePlayer,
  orderAlreadyCredited,
  ownMoney,
  partlyRefunded,
  tooManyCoins,
  unknownOrder,
  unknownPlayer,
  notIncoming,
  waitsForMomo,
  waitsForSecondPerson,
} from './bank-transfers.errors.ts'
import {
  countReversals,
  markEventsOf,
  updateTransfer,
  type LockedTransfer,
  insertAct,
  lockTransfer,
  listStoredTransfers,
} from './bank-transfers.queries.ts'
import { settleClaim } from './claim-answers.service.ts'
import { describeRefund } from './inbox.service.ts'
import { hasMoneyFor } from '../transfer-reads.queries.ts'

/** The money was meant for an order: its player gets what arrived, at the order's rate. */
export async function matchTransfer(
  deps: BankInboxDeps,
  request: ActRequest<{ order_code: string } & NamedClaim>,
): Promise<ActAnswer> {
  return actOnTransfer(deps, { ...request, act: 'match' }, async (tx, transfer) => {
    await assertOpen(tx, transfer)
    const order = await getUncreditedOrder(tx, request.body.order_code)
    return creditOrPropose(tx, transfer, { deps, ...request, act: 'match', order, rate: order.rate })
  })
}

type MatchMany = typeof severalBankTransfers.matchMany

/** The same for several transfers, each with its order and each by itself. */
export async function matchTransfers(
  deps: BankInboxDeps,
  call: UserCall<MatchMany>,
): Promise<AnswerOf<MatchMany>> {
  const { matches, reason } = call.body
  return actOnSeveral(deps, call, {
    action: 'bank-transfers.match-many',
    rows: matches,
    async act({ id, ...match }, own) {
      const body = { ...match, reason }
      const { status } = await matchTransfer(deps, requestOf({ ...call, ...own, params: { id }, body }))
      return status === 'waiting'
    },
  })
}

type NamedClaim = { claim_id?: string | null | undefined }
type NamedPlayer = { username?: string | null | undefined; user_id?: string | null | undefined }

/** The money is a player's, whatever it was meant for: they get it at the rate of today. */
export async function creditPlayer(
  deps: BankInboxDeps,
  request: ActRequest<NamedPlayer & NamedClaim>,
): Promise<ActAnswer> {
  return actOnTransfer(deps, { ...request, act: 'credit' }, async (tx, transfer) => {
    await assertOpen(tx, transfer)
    const player = await getNamedPlayer(tx, request.body)
    const { rechargeRate } = await readSettings(tx)
    const order = { id: null, code: null, userId: player.id }
    return creditOrPropose(tx, transfer, { deps, ...request, act: 'credit', order, rate: rechargeRate })
  })
}

/** Records that the money was sent back to its sender by a transfer made at the bank. */
export async function markRefunded(
  deps: BankInboxDeps,
  request: ActRequest<{ outgoing_reference: string; refunded_on: string }>,
): Promise<ActAnswer> {
  return actOnTransfer(deps, { ...request, act: 'refund' }, async (tx, transfer) => {
    await assertOpen(tx, transfer)
    const { outgoing_reference, refunded_on } = request.body
    if (boundsOfDay(refunded_on).start > deps.clock.now()) throw noSuchDay()
    await closeTransfer(tx, transfer, { state: 'refunded', reason: 'refunded-by-hand' })
    return { status: 'done', details: { outgoing_reference, refunded_on } }
  })
}

/** Nothing is to be done: no player's money, such as interest or a deposit of our own. */
export async function ignoreTransfer(deps: BankInboxDeps, request: ActRequest<unknown>): Promise<ActAnswer> {
  return actOnTransfer(deps, { ...request, act: 'ignore' }, async (tx, transfer) => {
    await assertOpen(tx, transfer)
    if (transfer.state === 'ignored') throw alreadyHandled()
    await closeTransfer(tx, transfer, { state: 'ignored', reason: 'ignored-by-hand' })
    return { status: 'done', details: {} }
  })
}

/** Closes a transfer without a credit, with its payment events and the order it was held for. */
export async function closeTransfer(
  tx: Tx,
  transfer: LockedTransfer,
  becomes: { state: 'refunded' | 'ignored'; reason: string },
): Promise<void> {
  await updateTransfer(tx, transfer.id, becomes)
  await markEventsOf(tx, transfer.id, { status: 'ignored', reason: becomes.reason })
  if (transfer.orderId !== null) await releaseOrder(tx, transfer.orderId)
}

/** The order that a transfer was held for is closed, unless other money for it is there. */
async function releaseOrder(tx: Tx, orderId: string): Promise<void> {
  await lockOrderById(tx, orderId)
  if (!(await hasMoneyFor(tx, orderId))) await closeOrderInReview(tx, orderId)
}

async function getUncreditedOrder(tx: Tx, code: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, code.toUpperCase())
  if (order === undefined) throw unknownOrder()
  if (order.credited > 0 || order.status.startsWith('paid')) throw orderAlreadyCredited()
  return order
}

async function getNamedPlayer(tx: Tx, { username, user_id }: NamedPlayer): Promise<Trader> {
  const [name, id] = [username ?? null, user_id ?? null]
  if ((name === null) === (id === null)) throw onePlayer()
  const player =
    id === null ? await findTraderByUsername(tx, (name as string).trim()) : await findTrader(tx, id)
  if (player === undefined) throw unknownPlayer(id === null ? 'username' : 'user_id')
  return player
}

type CreditRequest = {
  deps: BankInboxDeps
  act: 'match' | 'credit'
  order: { id: string | null; code: string | null; userId: string }
  rate: number
  operator: Operator
  body: NamedClaim & { reason: string }
}

/** What the player reads under their claim. */
const CLAIM_SETTLED = 'Đã tìm thấy khoản chuyển của bạn, TCoin đã được cộng vào ví.'

/** Above the limit of a day a second person decides. Nobody gives to themselves, however little. */
async function creditOrPropose(tx: Tx, transfer: LockedTransfer, credit: CreditRequest): Promise<Acted> {
  const { deps, act, order, rate, operator, body } = credit
  if (order.userId === operator.id) throw ownMoney()
  // The whole amount would be credited, and part of it is not here any more.
  if ((await sumRefunds(tx, transfer.id)).done > 0) throw partlyRefunded()
  const coins = transfer.amount * rate
  if (coins > COINS_MAX) throw tooManyCoins()
  const proposed: CreditProposal = { act, orderId: order.id, userId: order.userId, rate, coins }
  const details = { order_code: order.code, user_id: order.userId, rate, coins }
  const { manualCreditLimit } = await readSettings(tx)
  const limited = { action: `bank-transfers.${act}`, userId: order.userId, coins } as const
  const isAlone =
    !deps.isSecondPersonNeeded ||
    (await countAlone(tx, { ...limited, operatorId: operator.id, limit: manualCreditLimit }))
  if (!isAlone) {
    await insertTransferProposal(deps, tx, {
      ...proposed,
      transferId: transfer.id,
      reason: body.reason,
      proposedBy: operator.id,
    })
    return { status: 'waiting', details: { ...details, proposed: act } }
  }
  await creditNow(deps, tx, { transfer, ...proposed, orderCode: order.code, operator })
  const claimId = body.claim_id ?? null
  if (claimId === null) return { status: 'done', details }
  const also = await settleClaim(deps, tx, {
    claimId,
    bankTransactionId: transfer.id,
    message: CLAIM_SETTLED,
    operatorId: operator.id,
  })
  return { status: 'done', details: { ...details, claim_id: claimId }, also }
}

/** Credits a transfer that is open, as one operator decided or two have agreed. */
export async function creditNow(
  deps: BankInboxDeps,
  tx: Tx,
  agreed: Pick<CreditProposal, 'userId' | 'rate'> & {
    transfer: LockedTransfer
    orderCode: string | null
    operator: Operator
  },
): Promise<void> {
  const { transfer, userId, rate, operator } = agreed
  // The second person may be whom the first one gives to.
  if (userId === operator.id) throw ownMoney()
  const order = agreed.orderCode === null ? null : await getUncreditedOrder(tx, agreed.orderCode)
  const player = await lockNotifiedTrader(tx, userId)
  invariant(player, 'whoever is credited exists')
  if (player.isErased) throw playerErased()
  await updateTransfer(tx, transfer.id, { order_id: order?.id ?? null, user_id: userId })
  await creditTransfer(deps, tx, {
    event: null,
    transfer,
    player,
    amount: transfer.amount,
    rate,
    at: deps.clock.now(),
    // It arrived long before somebody decides about it.
    paidAt: order
      ? paymentTime(order, { bookedAt: transfer.bookedAt }, transfer.arrivedAt)
      : transfer.arrivedAt,
    order: order && { ...order, status: paidStatus(transfer.amount, order.amountVnd) },
    reversals: await countReversals(tx, transfer.id),
    actor: ledgerActor(operator),
  })
  await markEventsOf(tx, transfer.id, { status: 'applied', reason: null })
  // It had been thought to be another order's.
  if (transfer.orderId !== null && transfer.orderId !== order?.id) {
    await releaseOrder(tx, transfer.orderId)
  }
}

type ActOf<Name> = Name extends `bank-transfers.${infer Act}` ? Act : never

type TransferAct = ActOf<OperatorAct>

/** What an operator requests for one transfer. */
export type ActRequest<Body> = {
  id: string
  body: Body & { reason: string }
  operator: Operator
  call: ActCall
}

type Call<Body> = Pick<UserCall<never>, 'identity' | 'request' | 'key' | 'overLimit'> & {
  params: { id: string }
  body: Body
}

export const requestOf = <Body extends { reason: string }>(call: Call<Body>): ActRequest<Body> => ({
  id: call.params.id,
  body: call.body,
  operator: {
    id: call.identity.userId,
    permissions: call.identity.permissions,
    requestId: call.request.id,
  },
  call,
})

/**
 * `details` goes into the transfer's history and the audit trail; no text that payers wrote. `also` is the audit
 * row of something else that was done with it.
 */
export type Acted = {
  status: 'done' | 'waiting'
  lent?: number
  details: Record<string, unknown>
  also?: Recorded | null
  /** Recorded with it, and requested from MoMo only after the commit. */
  refund?: StoredRefund
}

/**
 * One operator's act on one transfer: under its lock, once for a key, with its line in the transfer's history and in
 * the audit trail. Locks go transfer, order, wallet.
 */
export async function actOnTransfer<Body>(
  deps: BankInboxDeps,
  request: ActRequest<Body> & { act: TransferAct },
  work: (tx: Tx, transfer: LockedTransfer) => Promise<Acted>,
): Promise<ActAnswer> {
  return actAsOperator<ActAnswer>(deps, request.call, {
    action: `bank-transfers.${request.act}`,
    async work(tx) {
      const before = orNotFound(await lockTransfer(tx, request.id))
      const { also, ...acted } = await work(tx, before)
      const answer = await answerOf(tx, request.id, acted)
      // What waits for a second person has not been done.
      const act = acted.status === 'waiting' ? 'propose' : request.act
      const recorded = await recordAct(tx, { ...request, act }, { before, answer, details: acted.details })
      return { answer, audit: also ? [recorded, also] : recorded }
    },
  })
}

/** Guards a decision about received money: it is undecided, and no proposal about it waits. */
async function assertOpen(tx: Tx, transfer: LockedTransfer): Promise<void> {
  if (transfer.direction === 'out') throw notIncoming()
  if (transfer.state !== 'review' && transfer.state !== 'ignored') throw alreadyHandled()
  await assertNothingWaits(tx, transfer.id)
}

export async function assertNothingWaits(tx: Tx, transferId: string): Promise<void> {
  if ((await findTransferProposal(tx, transferId)) !== undefined) throw waitsForSecondPerson()
  if ((await sumRefunds(tx, transferId)).requested > 0) throw waitsForMomo()
}

export async function answerOf(
  tx: Tx,
  id: string,
  { status, lent = 0, refund }: Pick<Acted, 'status' | 'lent' | 'refund'>,
): Promise<ActAnswer> {
  const [row] = await listStoredTransfers(tx, { ids: [id] }, { order: 'asc', from: 0, to: 0 })
  invariant(row, 'a locked transfer is there')
  return {
    status,
    id: row.id,
    state: row.state,
    reason: row.reason,
    order_code: row.order_code,
    user: row.user,
    credited: row.credited,
    lent,
    proposal: row.waiting,
    ...(refund === undefined ? {} : { refund: describeRefund(refund) }),
  }
}

type Changed = { before: LockedTransfer; answer: ActAnswer; details: Record<string, unknown> }

/** Writes the line in the transfer's history; answers that for the audit trail. */
export async function recordAct(
  tx: Tx,
  request: ActRequest<unknown> & { act: TransferAct | 'propose' },
  { before, answer, details }: Changed,
): Promise<Recorded> {
  const { id, act, operator } = request
  const { reason } = request.body
  await insertAct(tx, { bank_transaction_id: id, act, operator_id: operator.id, reason, details })
  return {
    action: `bank-transfers.${act}`,
    subject: { type: 'bank_transaction', id },
    details: {
      ...details,
      before: { state: before.state, reason: before.reason, credited: before.credited },
      after: { state: answer.state, reason: answer.reason, credited: answer.credited },
    },
  }
}
