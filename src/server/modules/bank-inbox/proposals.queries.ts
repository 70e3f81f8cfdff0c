import { sql } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type Proposed = {
  act: 'match' | 'credit' | 'reverse-credit'
  orderId: string | null
  userId: string
  rate: number
  coins: number
}

export type WaitingProposal = Proposed & { id: string; proposedBy: string; orderCode: string | null }

/** Only to be trusted under the transfer's lock. */
export async function findWaitingProposal(tx: Tx, transferId: string): Promise<WaitingProposal | undefined> {
  const row = await tx
    .selectFrom('bank_transfer_proposal as proposal')
    .leftJoin('payment_order as placed', 'placed.id', 'proposal.order_id')
    .select([
      'proposal.id',
      'proposal.act',
      'proposal.order_id',
      'placed.code',
      'proposal.user_id',
      'proposal.rate',
      'proposal.coins',
      'proposal.proposed_by',
    ])
    .where('proposal.bank_transaction_id', '=', transferId)
    .where('proposal.state', '=', 'waiting')
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      act: row.act as Proposed['act'],
      orderId: row.order_id,
      orderCode: row.code,
      userId: row.user_id,
      rate: parseCoins(row.rate),
      coins: parseCoins(row.coins),
      proposedBy: row.proposed_by,
    }
  )
}

export type NewProposal = Proposed & { transferId: string; reason: string; proposedBy: string }

export async function insertProposal(tx: Tx, proposal: NewProposal): Promise<void> {
  await tx
    .insertInto('bank_transfer_proposal')
    .values({
      bank_transaction_id: proposal.transferId,
      act: proposal.act,
      order_id: proposal.orderId,
      user_id: proposal.userId,
      rate: proposal.rate,
      coins: proposal.coins,
      reason: proposal.reason,
      proposed_by: proposal.proposedBy,
    })
    .execute()
}

export async function markProposal(
  tx: Tx,
  { id, state, by }: { id: string; state: 'approved' | 'rejected' | 'withdrawn'; by: string },
): Promise<void> {
  await tx
    .updateTable('bank_transfer_proposal')
    .set({ state, decided_by: by, decided_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}
