import { listStaff, mailStaff } from '#server/modules/accounts/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { doneMail, endedMail, proposedMail } from './letters.ts'
import { getProposal, insertTransferRow, markProposal, selectTransferProposal } from './proposals.queries.ts'
import { type ProposalsDeps, termsOfOne } from './proposals.service.ts'

/** What is proposed about a bank transfer. Its module makes and decides it, under the transfer's lock. */
type TransferProposal = CreditProposal | RefundProposal

/** TCoin to be given, or taken back. */
export type CreditProposal = {
  act: 'match' | 'credit' | 'reverse-credit'
  orderId: string | null
  userId: string
  rate: number
  coins: number
}

/** Money to go back to the wallet it came from: VND, and what that is in TCoin. */
type RefundProposal = {
  act: 'refund-at-gateway'
  /** Null where the money is nobody's. */
  userId: string | null
  amount: number
  coins: number
}

type Stored = { id: string; proposedBy: string; reason: string }

export type WaitingProposal =
  | (CreditProposal & Stored & { orderCode: string | null })
  | (RefundProposal & Stored)

/** Only to be trusted under the transfer's lock. */
export async function findTransferProposal(tx: Tx, transferId: string): Promise<WaitingProposal | undefined> {
  const row = await selectTransferProposal(tx, transferId)
  if (row === undefined) return undefined
  const { userId, rate, amount, orderId, orderCode, ...stored } = row
  const act = row.act as TransferProposal['act']
  const coins = parseCoins(row.coins)
  if (act === 'refund-at-gateway') {
    invariant(amount !== null, 'the proposal of a refund has an amount')
    return { ...stored, act, userId, amount: parseCoins(amount), coins }
  }
  invariant(userId !== null && rate !== null, 'the proposal of a credit has a player and a rate')
  return { ...stored, act, orderId, orderCode, userId, rate: parseCoins(rate), coins }
}

const payloadOf = (proposed: TransferProposal) =>
  proposed.act === 'refund-at-gateway'
    ? { act: proposed.act, user_id: proposed.userId, amount: proposed.amount, coins: proposed.coins }
    : {
        act: proposed.act,
        order_id: proposed.orderId,
        user_id: proposed.userId,
        rate: proposed.rate,
        coins: proposed.coins,
      }

type NewTransferProposal = TransferProposal & { transferId: string; reason: string; proposedBy: string }

/** What letters are written with. */
export type TransferLetters = Pick<ProposalsDeps, 'vault' | 'proposalKinds'>

const titleOf = (transferId: string): string => `Khoản chuyển số ${transferId}`

/** Stores a proposal and tells everybody. The transfer is locked, and nothing waits about it. */
export async function insertTransferProposal(
  deps: TransferLetters,
  tx: Tx,
  proposed: NewTransferProposal,
): Promise<void> {
  const { transferId: subject, reason, proposedBy: proposed_by } = proposed
  const row = { subject, payload: JSON.stringify(payloadOf(proposed)), reason, proposed_by }
  const facts = await factsOf(deps, tx, await insertTransferRow(tx, row))
  await mailStaff(deps.vault, tx, await listStaff(tx), (to) =>
    proposedMail(to, { ...facts, waits: { for: 'one' } }),
  )
}

async function factsOf(deps: TransferLetters, tx: Tx, id: string) {
  const proposal = await getProposal(tx, id)
  const { subject, reason, proposed_by } = proposal
  const terms = await termsOfOne(deps, tx, proposal)
  return { title: titleOf(subject), terms, reason, proposer: proposed_by.username }
}

type Decision = { id: string; state: 'approved' | 'rejected' | 'withdrawn'; by: string; reason: string }

/** Closes a proposal before what was agreed to is done, and tells everybody. */
export async function markTransferProposal(deps: TransferLetters, tx: Tx, decision: Decision): Promise<void> {
  const facts = await factsOf(deps, tx, decision.id)
  const isMarked = await markProposal(tx, decision, 'bank-transfers')
  invariant(isMarked, 'a proposal found under its lock is there')
  const staff = await listStaff(tx)
  const { state, by: decider, reason } = decision
  const by = staff.find(({ id }) => id === decider)?.username ?? ''
  await mailStaff(deps.vault, tx, staff, (to) =>
    state === 'approved'
      ? doneMail(to, facts)
      : endedMail(to, { ...facts, by, reason, how: state === 'withdrawn' ? 'withdraw' : 'reject' }),
  )
}
