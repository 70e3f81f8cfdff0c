import { sql } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Posted, Posting } from './posting.ts'

type PostedRow = { transfer_id: string; debit_balance: string; credit_balance: string }

export async function postLedgerTransfer(tx: Tx, posting: Posting): Promise<Posted> {
  const { kind, debit, credit, amount, source } = posting
  const { rows } = await sql<PostedRow>`
    SELECT transfer_id, debit_balance, credit_balance
      FROM ledger_post(${kind}, ${debit}::bigint, ${credit}::bigint, ${amount}::bigint, ${source.type}, ${source.id},
        ${posting.actorUserId ?? null}::bigint, ${posting.actorOperatorId ?? null}::bigint,
        ${posting.requestId ?? null}, ${posting.reversesId ?? null}::bigint)`.execute(tx)
  const row = rows[0] as PostedRow
  return {
    transferId: row.transfer_id,
    debitBalance: parseCoins(row.debit_balance),
    creditBalance: parseCoins(row.credit_balance),
  }
}

/** Opens a ledger account of a player, or finds the one they have, and returns its id. */
export async function openAccount(
  tx: Tx,
  kind: 'user_wallet' | 'receivable',
  userId: string,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT ledger_open_account(${kind}, ${userId}::bigint) AS id`.execute(tx)
  return (rows[0] as { id: string }).id
}
