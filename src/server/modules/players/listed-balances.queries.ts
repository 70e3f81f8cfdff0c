import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Stores what the wallets of some players hold; answers how many rows changed. */
async function storeBalances(db: Db, userIds: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO listed_balance AS listed (user_id, balance)
      SELECT u.id, w.balance FROM users u JOIN ledger_account w ON w.id = u.wallet_account_id
       WHERE u.id IN (${userIds})
       ORDER BY u.id
      ON CONFLICT (user_id) DO UPDATE SET balance = EXCLUDED.balance WHERE listed.balance <> EXCLUDED.balance`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Those whose wallets moved in the last so many minutes, and those who registered in them. */
export async function storeChangedBalances(db: Db, minutes: number): Promise<number> {
  const since = sql`now() - make_interval(mins => ${minutes}::integer)`
  return storeBalances(
    db,
    sql`SELECT moved.user_id FROM ledger_account moved WHERE moved.kind = 'user_wallet' AND moved.id IN (
          SELECT debit_account FROM ledger_transfer WHERE created_at >= ${since}
          UNION SELECT credit_account FROM ledger_transfer WHERE created_at >= ${since})
        UNION SELECT registered.id FROM users registered WHERE registered.created_at >= ${since}`,
  )
}

/** The next players by id, whatever happened to them; answers the last of them, or null when there were fewer. */
export async function storeNextBalances(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  const next = sql`SELECT id FROM users WHERE id > ${after}::bigint ORDER BY id LIMIT ${limit}`
  const { rows } = await sql<{ last: string | null; count: number }>`
    SELECT max(id) AS last, count(*)::integer AS count FROM (${next}) AS next`.execute(db)
  await storeBalances(db, next)
  const [{ last, count } = { last: null, count: 0 }] = rows
  return count === limit ? last : null
}
