import type { Db } from '#server/platform/db/database.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** A player as a trade sees them. `balance` is only to be trusted from a lock. */
export type Trader = {
  id: string
  username: string
  serverId: string
  walletId: string
  balance: number
  isActivated: boolean
  banUntil: Date | null
  banReason: string | null
}

const traders = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .innerJoin('ledger_account', 'ledger_account.id', 'users.wallet_account_id')
    .leftJoin('activation', 'activation.user_id', 'users.id')
    .select([
      'users.id',
      'users.username',
      'users.server_id',
      'users.wallet_account_id',
      'ledger_account.balance',
      'activation.activated_at',
      'users.ban_until',
      'users.ban_reason',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof traders>['executeTakeFirstOrThrow']>>

const toTrader = (row: Row): Trader => ({
  id: row.id,
  username: row.username,
  serverId: row.server_id,
  walletId: row.wallet_account_id,
  balance: parseCoins(row.balance),
  isActivated: row.activated_at !== null,
  banUntil: row.ban_until,
  banReason: row.ban_reason,
})

export async function findTrader(db: Db | Tx, userId: string): Promise<Trader | undefined> {
  const row = await traders(db).where('users.id', '=', userId).executeTakeFirst()
  return row && toTrader(row)
}

/** Ignores case, as login and payee do. */
export async function findTraderByUsername(db: Db | Tx, username: string): Promise<Trader | undefined> {
  const row = await traders(db).where('users.username_key', '=', username.toLowerCase()).executeTakeFirst()
  return row && toTrader(row)
}

/** Locks the wallet and reads its owner. The wallet's row is the lock that makes a player's trades take turns. */
export async function lockTraderRow(tx: Tx, userId: string): Promise<Trader> {
  const row = await traders(tx)
    .where('users.id', '=', userId)
    .forNoKeyUpdate('ledger_account')
    .executeTakeFirstOrThrow()
  return toTrader(row)
}
