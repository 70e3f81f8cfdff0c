import { sql } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** What a wallet has sent to other players since midnight in Vietnam, by the database's clock. */
export async function sumSentToday(tx: Tx, walletId: string): Promise<number> {
  const row = await tx
    .selectFrom('ledger_entry')
    .select(sql<string>`coalesce(-sum(amount), 0)::bigint`.as('sent'))
    .where('account_id', '=', walletId)
    .where('kind', '=', 'p2p')
    .where('amount', '<', '0')
    .where(
      'created_at',
      '>=',
      // The statement's time, not the transaction's, which may have begun before midnight and waited for the lock.
      sql<Date>`date_trunc('day', statement_timestamp() AT TIME ZONE 'Asia/Ho_Chi_Minh') AT TIME ZONE 'Asia/Ho_Chi_Minh'`,
    )
    .executeTakeFirstOrThrow()
  return parseCoins(row.sent)
}
