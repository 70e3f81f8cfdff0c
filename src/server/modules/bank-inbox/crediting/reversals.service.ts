import { randomUUID } from 'node:crypto'
import type { ActAnswer } from '#contract/operator/bank-transfers.ts'
import { actAsOperator, countAlone } from '#server/modules/audit/index.ts'
import { findTrader, lockTrader } from '#server/modules/traders/index.ts'
import { insertTransferProposal } from '#server/modules/proposals/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { settleDebt } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound, invariant } from '#server/platform/values/errors.ts'
import {
  actOnTransfer,
  assertNothingWaits,
  type ActRequest,
  closeTransfer,
} from '../operator/bank-transfers.service.ts'
import type { BankInboxDeps, Operator } from '../bank-inbox-deps.ts'
import {
  isReversed,
  lockTransfer,
  updateTransfer,
  type LockedTransfer,
} from '../operator/bank-transfers.queries.ts'
import {
  alreadyHandled,
  alreadyReversed,
  notCredited,
  notOutgoing,
  otherAmount,
  owesNothing,
  unknownOriginal,
} from '../operator/bank-transfers.errors.ts'
import { undoCredit, type CreditedTransfer, ledgerActor } from './crediting.service.ts'

/** A credit that should not have been given is reversed; the transfer waits for another decision. */
export async function reverseCredit(deps: BankInboxDeps, request: ActRequest<unknown>): Promise<ActAnswer> {
  return actOnTransfer(deps, { ...request, act: 'reverse-credit' }, async (tx, transfer) => {
    const credit = creditOf(transfer)
    await assertNothingWaits(tx, transfer.id)
    const { userId, credited: coins } = credit
    const details = { user_id: userId, coins }
    const { manualCreditLimit } = await readSettings(tx)
    const limited = { action: 'bank-transfers.reverse-credit', userId, coins } as const
    const isAlone =
      !deps.isSecondPersonNeeded ||
      (await countAlone(tx, { ...limited, operatorId: request.operator.id, limit: manualCreditLimit }))
    if (isAlone) {
      const { lent } = await reverseNow(deps, tx, { transfer, operator: request.operator })
      return { status: 'done', lent, details: { ...details, lent } }
    }
    await insertTransferProposal(deps, tx, {
      act: 'reverse-credit',
      transferId: transfer.id,
      orderId: null,
      userId,
      rate: coins / transfer.amount,
      coins,
      reason: request.body.reason,
      proposedBy: request.operator.id,
    })
    return { status: 'waiting', details: { ...details, proposed: 'reverse-credit' } }
  })
}

export async function reverseNow(
  deps: BankInboxDeps,
  tx: Tx,
  { transfer, operator }: { transfer: LockedTransfer; operator: Operator },
): Promise<{ lent: number }> {
  return undoCredit(deps, tx, {
    transfer: creditOf(transfer),
    becomes: { state: 'review', reason: 'credit-undone' },
    outgoingId: null,
    operator,
  })
}

function creditOf(transfer: LockedTransfer): CreditedTransfer {
  const { state, userId, transferId } = transfer
  if (state !== 'credited') throw notCredited()
  invariant(userId !== null && transferId !== null, 'a credited transfer has a player and a ledger transfer')
  return { ...transfer, userId, transferId }
}

/**
 * Money that came in has gone out again by the bank's will: whatever was given for it is reversed. One that was not
 * credited, or that we sent back ourselves, is only linked.
 */
export async function linkReversal(
  deps: BankInboxDeps,
  request: ActRequest<{ original_id: string }>,
): Promise<ActAnswer> {
  const { operator } = request
  const originalId = request.body.original_id
  return actOnTransfer(deps, { ...request, act: 'link-reversal' }, async (tx, outgoing) => {
    if (outgoing.direction !== 'out') throw notOutgoing()
    if (outgoing.reversalOf !== null) throw alreadyHandled()
    const original = await getOriginal(tx, outgoing, originalId)
    await updateTransfer(tx, outgoing.id, { reversal_of: originalId, reason: 'bank-reversal' })
    const details = { original_id: originalId, user_id: original.userId, coins: original.credited }
    const becomes = { state: 'refunded', reason: 'reversed-by-bank' } as const
    if (original.state === 'credited') {
      const reversal = { transfer: creditOf(original), becomes, outgoingId: outgoing.id, operator }
      const { lent } = await undoCredit(deps, tx, reversal)
      return { status: 'done', lent, details: { ...details, lent } }
    }
    if (original.state !== 'refunded') await closeTransfer(tx, original, becomes)
    return { status: 'done', details }
  })
}

/** The outgoing transfer is locked first and never an original, so that two links cannot wait for each other. */
async function getOriginal(tx: Tx, outgoing: LockedTransfer, id: string): Promise<LockedTransfer> {
  const original = await lockTransfer(tx, id)
  if (original?.direction !== 'in') throw unknownOriginal()
  if (original.amount !== outgoing.amount || original.accountNumber !== outgoing.accountNumber) {
    throw otherAmount(outgoing.amount)
  }
  if (await isReversed(tx, id)) throw alreadyReversed()
  await assertNothingWaits(tx, id)
  return original
}

/** Coins that came in by other ways than a recharge pay a debt when an operator decides it. */
export async function settleDebtOf(
  deps: BankInboxDeps,
  request: ActRequest<unknown>,
): Promise<{ paid: number; owed: number }> {
  const { id, operator } = request
  return actAsOperator(deps, request.call, {
    action: 'users.settle-debt',
    async work(tx) {
      if ((await findTrader(tx, id)) === undefined) throw notFound()
      const player = await lockTrader(tx, id)
      const paid = await settleDebt(tx, {
        player,
        source: { type: 'operator', id: randomUUID() },
        actor: ledgerActor(operator),
      })
      if (paid === 0) throw owesNothing()
      const owed = player.debt - paid
      return {
        answer: { paid, owed },
        audit: {
          subject: { type: 'user', id },
          details: { before: { owed: player.debt }, after: { owed }, paid },
        },
      }
    },
  })
}
