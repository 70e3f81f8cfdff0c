import { randomUUID } from 'node:crypto'
import type { QueryOf } from '#contract/endpoint.ts'
import type { ActAnswer } from '#contract/operator/bank-transfers.ts'
import type { ListedRefund, operatorGatewayRefunds } from '#contract/operator/gateway-refunds.ts'
import { actAsOperator, appendAudit, countAlone, type Recorded } from '#server/modules/audit/index.ts'
import {
  PROVIDER_CALL_MS_MAX,
  ProviderFailure,
  type RefundClient,
  type RefundOutcome,
} from '#server/modules/payment-providers/index.ts'
import { insertTransferProposal } from '#server/modules/proposals/index.ts'
import { queryDelaySeconds } from '#server/modules/recharge/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { afterCommit, inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { orNotFound, invariant } from '#server/platform/values/errors.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import type { BankInboxDeps, Operator } from '../bank-inbox-deps.ts'
import { ledgerActor } from '../crediting/crediting.service.ts'
import {
  answerOf,
  type ActRequest,
  assertNothingWaits,
  recordAct,
  closeTransfer,
} from '../operator/bank-transfers.service.ts'
import { type LockedTransfer, lockTransfer } from '../operator/bank-transfers.queries.ts'
import {
  alreadyHandled,
  gatewayClosed,
  notIncoming,
  notPaidAtMomo,
  refusedByMomo,
  stillCredited,
  wrongRefundAmount,
} from '../operator/bank-transfers.errors.ts'
import {
  claimDueRefund,
  listDueRefunds,
  countStoredRefunds,
  decideRefund,
  getRefund,
  insertRefund,
  isFromMomo,
  listStoredRefunds,
  scheduleRefund,
  type StoredRefund,
  sumRefunds,
  type RefundDecision,
} from './gateway-refunds.queries.ts'
import { isPaymentNumber, mustHaveArrived, refundAmount } from './gateway-refunds.rules.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

const ACT = 'refund-at-gateway'

/** Null while no gateway is configured that can send money back. */
const refundsOf = ({ payments }: BankInboxDeps): RefundClient | null =>
  payments.checkouts.flatMap(({ refunds }) => refunds ?? [])[0] ?? null

type RefundBody = { amount?: number | null | undefined }

/**
 * Sends money back to the wallet it came from; above the limit a second person decides. The refund is
 * committed first, with the operator's key and the audit row; it is requested from MoMo after that, once. A repeated key
 * answers with the refund's present state.
 */
export async function refundAtGateway(
  deps: BankInboxDeps,
  request: ActRequest<RefundBody>,
): Promise<ActAnswer> {
  let recorded: string | null = null
  const done = await actAsOperator<Done>(deps, request.call, {
    action: `bank-transfers.${ACT}`,
    async work(tx) {
      const { answer, audit } = await refundOrPropose(deps, tx, request)
      afterCommit('note the recorded refund', () => (recorded = answer.refundId))
      return { answer, audit }
    },
  })
  return done.refundId === null ? done.proposed : finishRefund(deps, { refundId: done.refundId, recorded })
}

/**
 * Requests a refund from MoMo that was recorded by this call and committed; a repeated or concurrent call gets what is already
 * being requested.
 */
export async function finishRefund(
  deps: BankInboxDeps,
  { refundId, recorded }: { refundId: string; recorded: string | null },
): Promise<ActAnswer> {
  if (recorded === refundId) await requestRefund(deps, await getRefund(deps.db, refundId))
  return answerAbout(deps, refundId)
}

type Done = { refundId: string } | { refundId: null; proposed: ActAnswer }

/** Decides under the transfer's lock that so much may go back, or that a second person has to. */
async function refundOrPropose(
  deps: BankInboxDeps,
  tx: Tx,
  request: ActRequest<RefundBody>,
): Promise<{ answer: Done; audit: Recorded }> {
  const before = orNotFound(await lockTransfer(tx, request.id))
  const { body, operator } = request
  const { amount, done } = await amountToRefund(deps, tx, {
    transfer: before,
    requested: body.amount ?? null,
  })
  const { manualCreditLimit, rechargeRate } = await readSettings(tx)
  const coins = amount * rechargeRate
  const limited = { action: 'bank-transfers.refund-at-gateway', userId: before.userId, coins } as const
  const isAlone =
    !deps.isSecondPersonNeeded ||
    // All that went back of one transfer counts, so that parts are not a way around the limit.
    ((done + amount) * rechargeRate <= manualCreditLimit &&
      (await countAlone(tx, { ...limited, operatorId: operator.id, limit: manualCreditLimit })))
  if (!isAlone) {
    const proposed = { act: ACT, userId: before.userId, amount, coins } as const
    const { reason } = body
    await insertTransferProposal(deps, tx, {
      ...proposed,
      transferId: before.id,
      reason,
      proposedBy: operator.id,
    })
    const answer = await answerOf(tx, before.id, { status: 'waiting' })
    const details = { proposed: ACT, user_id: before.userId, amount, coins }
    const audit = await recordAct(tx, { ...request, act: 'propose' }, { before, answer, details })
    return { answer: { refundId: null, proposed: answer }, audit }
  }
  const agreed = { transfer: before, amount, reason: body.reason, askedBy: operator.id }
  const refund = await recordRefund(deps, tx, { ...agreed, operator })
  const answer = await answerOf(tx, before.id, { status: 'waiting' })
  const details = { refund_order: refund.refundOrder, amount }
  const audit = await recordAct(tx, { ...request, act: ACT }, { before, answer, details })
  return { answer: { refundId: refund.id }, audit }
}

/** Null: as much as can go back. */
type RequestedRefund = { transfer: LockedTransfer; requested: number | null }

/** VND that can go back now, and what went back before. */
async function amountToRefund(
  deps: BankInboxDeps,
  tx: Tx,
  { transfer, requested }: RequestedRefund,
): Promise<{ amount: number; done: number }> {
  await assertRefundable(tx, transfer)
  if (refundsOf(deps) === null) throw gatewayClosed()
  const { done } = await sumRefunds(tx, transfer.id)
  const amount = refundAmount(transfer.amount - done, requested)
  if (amount === null) throw wrongRefundAmount(transfer.amount - done)
  return { amount, done }
}

type Agreed = {
  transfer: LockedTransfer
  amount: number
  reason: string
  /** Who proposed it, where two agreed. */
  askedBy: string
  operator: Operator
}

/** Records what two people agreed to, if that much can still go back. */
export async function recordAgreedRefund(deps: BankInboxDeps, tx: Tx, agreed: Agreed): Promise<StoredRefund> {
  const { transfer, amount } = agreed
  await amountToRefund(deps, tx, { transfer, requested: amount })
  return recordRefund(deps, tx, agreed)
}

async function recordRefund(deps: BankInboxDeps, tx: Tx, agreed: Agreed): Promise<StoredRefund> {
  const { transfer, amount, reason, askedBy, operator } = agreed
  const refundOrder = `HT${randomUUID().replaceAll('-', '')}`
  const id = await insertRefund(tx, {
    bank_transaction_id: transfer.id,
    refund_order: refundOrder,
    amount,
    asked_by: askedBy,
    reason,
    // MoMo is queried about it from then on, whether or not the request reached it.
    delaySeconds: queryDelaySeconds(0),
  })
  const facts = { ...refundFacts(transfer, { refundOrder, amount }), ...ledgerActor(operator) }
  afterCommit('report a refund', () =>
    deps.log.info({ event: 'payment.refund-asked', ...facts }, 'a refund was asked for'),
  )
  return getRefund(tx, id)
}

async function assertRefundable(tx: Tx, transfer: LockedTransfer): Promise<void> {
  if (transfer.direction === 'out') throw notIncoming()
  if (!isPaymentNumber(transfer.bankRef) || !(await isFromMomo(tx, transfer.id))) throw notPaidAtMomo()
  if (transfer.state === 'credited') throw stillCredited()
  if (transfer.state !== 'review') throw alreadyHandled()
  await assertNothingWaits(tx, transfer.id)
}

/** Outside any transaction; the request is recorded already. Without an answer it stays open, and is queried. */
async function requestRefund(deps: BankInboxDeps, refund: StoredRefund): Promise<void> {
  const refunds = refundsOf(deps)
  invariant(refunds, 'a refund is recorded only where a gateway can send it')
  const { refundOrder, transId, amount } = refund
  try {
    const outcome = await refunds.refund({ refundOrder, transId, amountVnd: amount })
    await settle(deps, refund, outcome)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.isUnsent) return decide(deps, refund, { state: 'failed', providerRef: null, resultCode: null })
    deps.log.error(
      { event: 'refund.unanswered', provider: 'momo', refundOrder, fault: error.kind, err: error },
      'MoMo did not say whether money went back',
    )
  }
}

/** False while the outcome is unknown. */
async function settle(deps: BankInboxDeps, refund: StoredRefund, outcome: RefundOutcome): Promise<boolean> {
  if (outcome.kind === 'refunded')
    await decide(deps, refund, { state: 'done', providerRef: outcome.transId, resultCode: null })
  else if (outcome.kind === 'refused')
    await decide(deps, refund, { state: 'failed', providerRef: null, resultCode: outcome.resultCode })
  else return false
  return true
}

/** Stores MoMo's answer, once; when the whole amount went back, the transfer is closed. */
async function decide(deps: BankInboxDeps, refund: StoredRefund, decision: RefundDecision): Promise<void> {
  const { id, transferId, refundOrder, amount, askedBy } = refund
  await inTransaction(deps.db, async (tx) => {
    const transfer = await lockTransfer(tx, transferId)
    invariant(transfer, 'a refund has its transfer')
    if (!(await decideRefund(tx, id, decision))) return
    // No other decision is possible while a refund is open; without this check money could be returned twice.
    invariant(transfer.state === 'review', 'a transfer whose refund is open is in review')
    const { done } = await sumRefunds(tx, transferId)
    invariant(done <= transfer.amount, 'no more goes back than came')
    if (decision.state === 'done' && done === transfer.amount) {
      await closeTransfer(tx, transfer, { state: 'refunded', reason: 'refunded-at-momo' })
    }
    const event = decision.state === 'done' ? 'payment.refunded' : 'payment.refund-refused'
    const facts = {
      ...refundFacts(transfer, refund),
      actorOperatorId: askedBy.id,
      resultCode: decision.resultCode,
    }
    afterCommit('report a decided refund', () =>
      deps.log.info({ event, ...facts }, 'MoMo decided about a refund'),
    )
    await appendAudit(tx, {
      actor: { kind: 'system' },
      action: `bank-transfers.${ACT}-${decision.state}`,
      subject: { type: 'bank_transaction', id: transferId },
      details: { refund_order: refundOrder, amount, asked_by: askedBy.id, result_code: decision.resultCode },
    })
  })
}

/** By what the log joins a refund to its payment. */
const refundFacts = (
  { id, orderCode, bankRef, userId }: LockedTransfer,
  { refundOrder, amount }: Pick<StoredRefund, 'refundOrder' | 'amount'>,
) => ({ orderCode, provider: 'momo', bankRef, bankTransactionId: id, refundOrder, userId, amount })

async function answerAbout(deps: BankInboxDeps, refundId: string): Promise<ActAnswer> {
  const refund = await getRefund(deps.db, refundId)
  if (refund.state === 'failed') throw refusedByMomo(refund.resultCode)
  const status = refund.state === 'asked' ? 'waiting' : 'done'
  return inTransaction(deps.db, (tx) => answerOf(tx, refund.transferId, { status, refund }))
}

const LEASE_SECONDS = leaseSecondsFor({ calls: 1, timeoutMs: PROVIDER_CALL_MS_MAX })
const QUERIES_PER_ROUND = 20

/** Queries the refunds that are due, one after the other; returns whether there may be more. */
export const queryDueRefunds = (deps: BankInboxDeps): Promise<boolean> =>
  workOff(deps, {
    job: 'gateway refunds',
    limit: QUERIES_PER_ROUND,
    leaseSeconds: LEASE_SECONDS,
    list: listDueRefunds,
    async work(id) {
      if (!(await claimDueRefund(deps.db, id, LEASE_SECONDS))) return false
      await queryRefund(deps, await getRefund(deps.db, id))
      return true
    },
  })

async function queryRefund(deps: BankInboxDeps, refund: StoredRefund): Promise<void> {
  const refunds = refundsOf(deps)
  const isOver = refunds !== null && (await isDecided(deps, refunds, refund))
  // Without keys MoMo cannot be queried and the outcome stays unknown: the refund waits until keys are configured.
  if (!isOver) {
    await scheduleRefund(deps.db, { id: refund.id, delaySeconds: queryDelaySeconds(refund.ageSeconds) })
  }
}

async function isDecided(deps: BankInboxDeps, refunds: RefundClient, refund: StoredRefund): Promise<boolean> {
  const { refundOrder, amount, queries, ageSeconds } = refund
  try {
    const queryId = `${refundOrder}Q${queries}`
    const outcome = await refunds.query({ refundOrder, amountVnd: amount, queryId })
    if (outcome.kind !== 'unknown-refund') return await settle(deps, refund, outcome)
    if (!mustHaveArrived({ ageSeconds, queries })) return false
    await decide(deps, refund, { state: 'failed', providerRef: null, resultCode: null })
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    deps.log.warn(
      { event: 'refund.unanswered', provider: 'momo', refundOrder, fault: error.kind },
      'MoMo did not say how a refund stands',
    )
    return false
  }
}

type Filter = NonNullable<QueryOf<typeof operatorGatewayRefunds.list>['filter']>

/** Refunds in the order of their requests, which is that of their ids. */
export async function listRefunds(
  db: Db,
  { asked_by, ...given }: Filter,
  page: ListPage,
): Promise<ListRows<ListedRefund>> {
  const asker = asked_by === undefined ? undefined : await findTraderByUsername(db, asked_by)
  if (asked_by !== undefined && asker === undefined) return { total: 0, rows: [] }
  const filter = { ...given, askedBy: asker?.id }
  return { rows: await listStoredRefunds(db, filter, page), total: () => countStoredRefunds(db, filter) }
}
