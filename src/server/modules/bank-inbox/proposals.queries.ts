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
    .select(['proposal.id', 'proposal.act', 'proposal.order_id as orderId', 'placed.code as orderCode'])
    .select(['proposal.user_id as userId', 'proposal.rate', 'proposal.coins'])
    .select('proposal.proposed_by as proposedBy')
    .$narrowType<Pick<Proposed, 'act'>>()
    .where('proposal.bank_transaction_id', '=', transferId)
    .where('proposal.state', '=', 'waiting')
    .executeTakeFirst()
  return row && { ...row, rate: parseCoins(row.rate), coins: parseCoins(row.coins) }
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
