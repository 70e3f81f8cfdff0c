import { sql } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import { notify } from '#server/platform/db/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/invariant.ts'

/** What is proposed about a bank transfer. Its module makes and decides it, under the transfer's lock. */
export type TransferProposal = {
  act: 'match' | 'credit' | 'reverse-credit'
  orderId: string | null
  userId: string
  rate: number
  coins: number
}

const KIND = 'bank-transfer'

type Waiting = TransferProposal & { id: string; proposedBy: string; orderCode: string | null }

/** Only to be trusted under the transfer's lock. */
export async function findTransferProposal(tx: Tx, transferId: string): Promise<Waiting | undefined> {
  const row = await tx
    .selectFrom('proposal')
    .leftJoin('payment_order as placed', (join) =>
      join.on(sql`placed.id`, '=', sql`(proposal.payload ->> 'order_id')::bigint`),
    )
    .select(['proposal.id', 'proposal.proposed_by as proposedBy', 'placed.code as orderCode'])
    .select([
      sql<TransferProposal['act']>`proposal.payload ->> 'act'`.as('act'),
      sql<string | null>`proposal.payload ->> 'order_id'`.as('orderId'),
      sql<string>`proposal.payload ->> 'user_id'`.as('userId'),
      sql<string>`proposal.payload ->> 'rate'`.as('rate'),
      sql<string>`proposal.payload ->> 'coins'`.as('coins'),
    ])
    .where('proposal.kind', '=', KIND)
    .where('proposal.subject', '=', transferId)
    .where('proposal.state', '=', 'waiting')
    .executeTakeFirst()
  return row && { ...row, rate: parseCoins(row.rate), coins: parseCoins(row.coins) }
}

type NewTransferProposal = TransferProposal & { transferId: string; reason: string; proposedBy: string }

/** The transfer is locked, and nothing waits about it. */
export async function insertTransferProposal(tx: Tx, proposed: NewTransferProposal): Promise<void> {
  const { transferId, reason, proposedBy, act, orderId, userId, rate, coins } = proposed
  const payload = JSON.stringify({ act, order_id: orderId, user_id: userId, rate, coins })
  await tx
    .insertInto('proposal')
    .values({ kind: KIND, subject: transferId, payload, reason, proposed_by: proposedBy })
    .execute()
  notify(tx, 'operator_event', 'bank-transfers')
}

type Decided = { id: string; state: 'approved' | 'rejected' | 'withdrawn'; by: string; reason: string }

export async function markTransferProposal(tx: Tx, { id, state, by, reason }: Decided): Promise<void> {
  const marked = await tx
    .updateTable('proposal')
    .set({ state, decided_by: by, decision_reason: reason, decided_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('kind', '=', KIND)
    .executeTakeFirst()
  invariant(marked.numUpdatedRows === 1n, 'a proposal found under its lock is there')
  notify(tx, 'operator_event', 'bank-transfers')
}
