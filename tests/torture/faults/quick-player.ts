import { sql } from 'kysely'
import { grantRole } from '#server/modules/accounts/index.ts'
import { insertSession } from '#server/modules/sessions/sessions.queries.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { newToken } from '#server/platform/values/crypto.ts'
import type { Client } from '../../harness/client.ts'

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

/** An operator's token of the console, with a fresh proof that lasts as long as the longest run: refunds need one. */
export async function insertOperator(
  db: Db,
  username: string,
  role: 'cashier' | 'owner' = 'cashier',
): Promise<string> {
  const token = await insertPlayer(db, username, 'console')
  await grantRole(db, { username, role })
  await sql`UPDATE sessions SET step_up_at = clock_timestamp() + interval '1 day'
             WHERE user_id = (SELECT id FROM users WHERE username = ${username})`.execute(db)
  return token
}

const REASON = 'Kiểm tra khi máy chủ game hỏng'

/** An operator's act on a delivery; answers its state afterwards, null when the act was refused. */
export async function resolve(
  attempt: Client['try'],
  token: string,
  { id, what }: { id: string; what: 'retry' | 'refund' | 'settle' },
): Promise<string | null> {
  const body = { reason: REASON, evidence: REASON }
  const answer = await attempt({ path: `/api/operator/deliveries/${id}/${what}`, token, body })
  return answer?.status === 200 ? (answer.body.state as string) : null
}
