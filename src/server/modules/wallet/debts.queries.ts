import { parseCoins } from '#server/domain/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** A player's debt and its ledger account. Changes only under the lock of the player's wallet. */
export async function findDebt(
  tx: Tx,
  userId: string,
): Promise<{ accountId: string; owed: number } | undefined> {
  const row = await tx
    .selectFrom('ledger_account')
    .select(['id', 'balance'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'receivable')
    .executeTakeFirst()
  return row && { accountId: row.id, owed: 0 - parseCoins(row.balance) }
}

export async function getBalance(tx: Tx, accountId: string): Promise<number> {
  const row = await tx
    .selectFrom('ledger_account')
    .select('balance')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return parseCoins(row.balance)
}
