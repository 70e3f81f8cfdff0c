import type { Tx } from '#server/platform/db/transaction.ts'
import { findDebt, getBalance } from './debts.queries.ts'
import { type LedgerActor, openAccount } from './wallet.queries.ts'
import { HOUSE, postTransfer } from './wallet.service.ts'

/** A player whose wallet is locked. */
type Holder = { id: string; walletId: string; balance: number }

export type RechargeReversal = {
  player: Holder
  /** A recharge: what it gave the wallet goes back to where it came from. */
  original: { transferId: string; amount: number }
  actor: LedgerActor
}

/**
 * Reverses a whole recharge. What the wallet does not hold any more is lent to it first and owed from then on, so
 * that the wallet never goes below zero and the reversal always mirrors the recharge exactly.
 */
export async function reverseRecharge(
  tx: Tx,
  { player, original, actor }: RechargeReversal,
): Promise<{ transferId: string; lent: number }> {
  const source = { type: 'ledger_transfer', id: original.transferId }
  const lent = Math.max(0, original.amount - player.balance)
  if (lent > 0) {
    const receivable = await openAccount(tx, 'receivable', player.id)
    await postTransfer(tx, {
      kind: 'debt',
      debit: receivable,
      credit: player.walletId,
      amount: lent,
      source,
      ...actor,
    })
  }
  const { transferId } = await postTransfer(tx, {
    kind: 'reversal',
    debit: player.walletId,
    credit: HOUSE.recharge,
    amount: original.amount,
    source,
    reversesId: original.transferId,
    ...actor,
  })
  return { transferId, lent }
}

export type DebtSettlement = {
  player: Pick<Holder, 'id' | 'walletId'>
  /** What brought the coins: at most one settlement for each. */
  source: { type: string; id: string }
  actor: LedgerActor
}

/** Pays what a player owes as far as their wallet goes, which the caller has locked. Answers the TCoin that were paid. */
export async function settleDebt(tx: Tx, { player, source, actor }: DebtSettlement): Promise<number> {
  const debt = await findDebt(tx, player.id)
  if (debt === undefined) return 0
  const amount = Math.min(debt.owed, await getBalance(tx, player.walletId))
  if (amount <= 0) return 0
  await postTransfer(tx, {
    kind: 'debt_settle',
    debit: player.walletId,
    credit: debt.accountId,
    amount,
    source,
    ...actor,
  })
  return amount
}
