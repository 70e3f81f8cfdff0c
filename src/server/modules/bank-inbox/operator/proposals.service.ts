import { PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import type { ActAnswer } from '#contract/operator/bank-transfers.ts'
import {
  assertSecondPerson,
  findTransferProposal,
  markTransferProposal,
  readPeople,
  type Decision,
  type DecisionCall,
  type WaitingProposal,
} from '#server/modules/proposals/index.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { actOnTransfer, requestOf, type Acted, type ActRequest, creditNow } from './bank-transfers.service.ts'
import type { BankInboxDeps, Operator } from '../bank-inbox-deps.ts'
import type { LockedTransfer } from './bank-transfers.queries.ts'
import { alreadyHandled, nothingWaits, othersProposal, ownProposal } from './bank-transfers.errors.ts'
import { finishRefund, recordAgreedRefund } from '../gateway-refunds/gateway-refunds.service.ts'
import { reverseNow } from '../crediting/reversals.service.ts'

/** `proposalId`: which proposal was decided about; whichever waits about the transfer when it is left out. */
type DecisionRequest = ActRequest<unknown> & { proposalId?: string }

/**
 * The second person agrees: what was proposed is done, if it still can be. A refund is committed with the agreement, and
 * it is requested from MoMo after that, once.
 */
export async function approveProposal(deps: BankInboxDeps, request: DecisionRequest): Promise<ActAnswer> {
  let recorded: string | null = null
  const answer = await actOnTransfer(deps, { ...request, act: 'approve' }, async (tx, transfer) => {
    const proposal = await getWaiting(tx, transfer, request)
    const { operator } = request
    assertMayDecide(proposal, operator)
    assertSecondPerson(await readPeople(deps, tx, [proposal.proposedBy, operator.id]), {
      proposer: proposal.proposedBy,
      decider: operator.id,
      permissions: [PROPOSAL_PERMISSIONS['bank-transfer']],
    })
    await mark(deps, tx, { proposal, ...request, state: 'approved' })
    const done = await carryOut(deps, tx, { transfer, proposal, operator })
    afterCommit('note the recorded refund', () => (recorded = done.refund?.id ?? null))
    return { status: 'done', ...done }
  })
  return answer.refund === undefined ? answer : finishRefund(deps, { refundId: answer.refund.id, recorded })
}

export async function rejectProposal(deps: BankInboxDeps, request: DecisionRequest): Promise<ActAnswer> {
  return actOnTransfer(deps, { ...request, act: 'reject' }, async (tx, transfer) => {
    const proposal = await getWaiting(tx, transfer, request)
    assertMayDecide(proposal, request.operator)
    await mark(deps, tx, { proposal, ...request, state: 'rejected' })
    return { status: 'done', details: detailsOf(proposal) }
  })
}

export async function withdrawProposal(deps: BankInboxDeps, request: DecisionRequest): Promise<ActAnswer> {
  return actOnTransfer(deps, { ...request, act: 'withdraw' }, async (tx, transfer) => {
    const proposal = await getWaiting(tx, transfer, request)
    if (proposal.proposedBy !== request.operator.id) throw othersProposal()
    await mark(deps, tx, { proposal, ...request, state: 'withdrawn' })
    return { status: 'done', details: detailsOf(proposal) }
  })
}

const DECISIONS = { approve: approveProposal, reject: rejectProposal, withdraw: withdrawProposal }

/** A decision made in the list of all proposals. */
export async function decideTransfer(
  deps: BankInboxDeps,
  act: Decision,
  { proposal, call }: { proposal: { id: string; subject: string }; call: DecisionCall },
): Promise<ActAnswer> {
  const request = requestOf({ ...call, params: { id: proposal.subject } })
  return DECISIONS[act](deps, { ...request, proposalId: proposal.id })
}

type Marked = DecisionRequest & { proposal: WaitingProposal; state: 'approved' | 'rejected' | 'withdrawn' }

const mark = (
  deps: BankInboxDeps,
  tx: Tx,
  { proposal: { id }, state, operator, body }: Marked,
): Promise<void> => markTransferProposal(deps, tx, { id, state, by: operator.id, reason: body.reason })

async function getWaiting(
  tx: Tx,
  transfer: LockedTransfer,
  { proposalId }: DecisionRequest,
): Promise<WaitingProposal> {
  const proposal = await findTransferProposal(tx, transfer.id)
  if (proposal === undefined || proposal.id !== (proposalId ?? proposal.id)) throw nothingWaits()
  return proposal
}

/** Nobody decides about their own. What reverses a credit needs the same right of both. */
function assertMayDecide(proposal: WaitingProposal, operator: Operator): void {
  if (proposal.proposedBy === operator.id) throw ownProposal()
  if (proposal.act === 'reverse-credit' && !operator.permissions.includes('wallet.adjust')) {
    throw new Refusal('FORBIDDEN')
  }
}

type Agreed = { transfer: LockedTransfer; proposal: WaitingProposal; operator: Operator }

async function carryOut(
  deps: BankInboxDeps,
  tx: Tx,
  { transfer, proposal, operator }: Agreed,
): Promise<Pick<Acted, 'lent' | 'details' | 'refund'>> {
  const details = detailsOf(proposal)
  if (proposal.act === 'reverse-credit') {
    const { lent } = await reverseNow(deps, tx, { transfer, operator })
    return { lent, details: { ...details, lent } }
  }
  if (proposal.act === 'refund-at-gateway') {
    const { amount, reason, proposedBy: askedBy } = proposal
    const refund = await recordAgreedRefund(deps, tx, { transfer, amount, reason, askedBy, operator })
    return { details: { ...details, refund_order: refund.refundOrder }, refund }
  }
  // No other decision is possible while a proposal waits; without this check money could be credited twice.
  if (transfer.state !== 'review' && transfer.state !== 'ignored') throw alreadyHandled()
  await creditNow(deps, tx, { ...proposal, transfer, operator })
  return { details }
}

const detailsOf = (proposal: WaitingProposal) => ({
  proposed: proposal.act,
  user_id: proposal.userId,
  coins: proposal.coins,
  proposed_by: proposal.proposedBy,
  ...(proposal.act === 'refund-at-gateway'
    ? { amount: proposal.amount }
    : { order_code: proposal.orderCode, rate: proposal.rate }),
})
