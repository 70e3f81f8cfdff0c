import { sql } from 'kysely'
import { insertSession } from '#server/modules/sessions/sessions.queries.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { newToken } from '#server/platform/tokens.ts'

/**
 * A player with an open session, straight into the database; answers its token. A registration spends most of its time on
 * the password, and cannot be repeated when its answer was lost.
 */
export async function insertPlayer(
  db: Db,
  username: string,
  kind: 'player' | 'console' = 'player',
): Promise<string> {
  const { token, tokenHash } = newToken()
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      WITH drawn AS (SELECT nextval(pg_get_serial_sequence('users', 'id')) AS id)
      INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
      SELECT id, ${username}, 'no password opens this', '1', ledger_open_account('user_wallet', id) FROM drawn
      RETURNING id`.execute(tx)
    const userId = (rows[0] as { id: string }).id
    await insertSession(tx, { userId, tokenHash, userAgent: 'torture', place: 'unknown', kind })
  })
  return token
}
