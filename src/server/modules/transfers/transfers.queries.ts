import { sql } from 'kysely'
import { RECENT_PAYEES_MAX } from '#contract/transfers.ts'
import { mainCharacter } from '#server/modules/game-bridge/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
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

/** The main character of the player whose row a statement reads from `users`. */
export const charactersOfUser = mainCharacter(sql.ref('users.id'))

/** Transfers in which recent payees are looked for, the newest; what a wallet received is among them. */
const LOOKED_THROUGH = 200

/** The players whom this one sent TCoin last, the latest first; erased ones cannot receive any more. */
export async function selectRecentPayees(db: Db, userId: string) {
  return db
    .with('moved', (cte) =>
      cte
        .selectFrom('ledger_entry')
        .select(['transfer_id', 'account_version', 'amount'])
        .where('account_id', '=', (eb) =>
          eb.selectFrom('users').select('wallet_account_id').where('id', '=', userId),
        )
        .where('kind', '=', 'p2p')
        .orderBy('account_version', 'desc')
        .limit(LOOKED_THROUGH),
    )
    .with('paid', (cte) =>
      cte
        .selectFrom('moved')
        .innerJoin('ledger_transfer as transfer', 'transfer.id', 'moved.transfer_id')
        .select(['transfer.credit_account as wallet', sql<string>`max(moved.account_version)`.as('latest')])
        .where('moved.amount', '<', '0')
        .groupBy('transfer.credit_account'),
    )
    .selectFrom('paid')
    .innerJoin('users', 'users.wallet_account_id', 'paid.wallet')
    .where('users.erased_at', 'is', null)
    .select(['users.id', 'users.username', charactersOfUser.as('character')])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('activation').select('user_id').whereRef('activation.user_id', '=', 'users.id'))
        .as('isActivated'),
    )
    .orderBy('paid.latest', 'desc')
    .limit(RECENT_PAYEES_MAX)
    .execute()
}
