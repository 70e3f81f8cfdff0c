import { sql } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import { notify } from '#server/domain/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'

/** What is proposed about a bank transfer. Its module makes and decides it, under the transfer's lock. */
export type TransferProposal = CreditProposal | RefundProposal

/** TCoin to be given, or taken back. */
export type CreditProposal = {
  act: 'match' | 'credit' | 'reverse-credit'
  orderId: string | null
  userId: string
  rate: number
  coins: number
}

/** Money to go back to the wallet it came from: VND, and what that is in TCoin. */
export type RefundProposal = {
  act: 'refund-at-gateway'
  /** Null where the money is nobody's. */
  userId: string | null
  amount: number
  coins: number
}

const KIND = 'bank-transfer'

type Stored = { id: string; proposedBy: string; reason: string }

export type WaitingProposal =
  | (CreditProposal & Stored & { orderCode: string | null })
  | (RefundProposal & Stored)

/** Only to be trusted under the transfer's lock. */
export async function findTransferProposal(tx: Tx, transferId: string): Promise<WaitingProposal | undefined> {
  const row = await tx
    .selectFrom('proposal')
    .leftJoin('payment_order as placed', (join) =>
      join.on(sql`placed.id`, '=', sql`(proposal.payload ->> 'order_id')::bigint`),
    )
    .select(['proposal.id', 'proposal.proposed_by as proposedBy', 'placed.code as orderCode'])
    .select('proposal.reason')
    .select([
      sql<TransferProposal['act']>`proposal.payload ->> 'act'`.as('act'),
      sql<string | null>`proposal.payload ->> 'order_id'`.as('orderId'),
      sql<string | null>`proposal.payload ->> 'user_id'`.as('userId'),
      sql<string | null>`proposal.payload ->> 'rate'`.as('rate'),
      sql<string | null>`proposal.payload ->> 'amount'`.as('amount'),
      sql<string>`proposal.payload ->> 'coins'`.as('coins'),
    ])
    .where('proposal.kind', '=', KIND)
    .where('proposal.subject', '=', transferId)
    .where('proposal.state', '=', 'waiting')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { act, userId, rate, amount, orderId, orderCode, ...stored } = row
  const coins = parseCoins(row.coins)
  if (act === 'refund-at-gateway') {
    invariant(amount !== null, 'a refund says how much')
    return { ...stored, act, userId, amount: parseCoins(amount), coins }
  }
  invariant(userId !== null && rate !== null, 'a credit says for whom and at which rate')
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

/** The transfer is locked, and nothing waits about it. */
export async function insertTransferProposal(tx: Tx, proposed: NewTransferProposal): Promise<void> {
  const { transferId, reason, proposedBy } = proposed
  const payload = JSON.stringify(payloadOf(proposed))
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
