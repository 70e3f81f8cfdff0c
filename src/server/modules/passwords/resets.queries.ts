import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { BATCH_ROWS, isFullBatch } from '#server/platform/db/batch.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { LINK_MINUTES_MAX } from './resets.rules.ts'

export type Reset = { userId: string; username: string; sealedEmail: Buffer }

// A link becomes invalid when the password changes in any way.
const markOfPassword = sql`sha256(convert_to(u.password_hash, 'UTF8'))`
// The age is the statement's, not the transaction's, which may have waited for a lock.
const isLive = sql<boolean>`
  r.made_at > statement_timestamp() - make_interval(mins => ${LINK_MINUTES_MAX}::integer)
  AND r.password_mark = ${markOfPassword}`

/** Makes an account's one link, in place of the one before. */
export async function replaceReset(
  tx: Tx,
  { userId, tokenHash, sealedEmail }: { userId: string; tokenHash: Buffer; sealedEmail: Buffer },
): Promise<void> {
  await sql`
    INSERT INTO password_reset (user_id, token_hash, password_mark, sealed_email)
    SELECT u.id, ${tokenHash}::bytea, ${markOfPassword}, ${sealedEmail}::bytea
      FROM users u WHERE u.id = ${userId}::bigint
    ON CONFLICT (user_id) DO UPDATE
      SET token_hash = excluded.token_hash, password_mark = excluded.password_mark,
          sealed_email = excluded.sealed_email, made_at = clock_timestamp()`.execute(tx)
}

const selectReset = (tokenHash: Buffer) => sql`
  SELECT r.user_id AS "userId", u.username, r.sealed_email AS "sealedEmail"
    FROM password_reset r JOIN users u ON u.id = r.user_id
   WHERE r.token_hash = ${tokenHash} AND ${isLive}`

export async function findReset(db: Db, tokenHash: Buffer): Promise<Reset | undefined> {
  const { rows } = await sql<Reset>`${selectReset(tokenHash)}`.execute(db)
  return rows[0]
}

/**
 * The same, held: of many at once one finds it, and a change of password that came first is seen, since the conditions
 * are asked again of what the lock was waited for.
 */
export async function lockReset(tx: Tx, tokenHash: Buffer): Promise<Reset | undefined> {
  const { rows } = await sql<Reset>`
    ${selectReset(tokenHash)} FOR UPDATE OF r FOR NO KEY UPDATE OF u`.execute(tx)
  return rows[0]
}

export async function deleteReset(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('password_reset').where('user_id', '=', userId).execute()
}

/** Removes one batch of links that are too old to open anything; true when there may be more. */
export async function removeOldLinks({ db }: { db: Db }): Promise<boolean> {
  const deleted = await sql`
    DELETE FROM password_reset WHERE user_id IN (
      SELECT user_id FROM password_reset
       WHERE made_at < now() - make_interval(mins => ${LINK_MINUTES_MAX}::integer)
       ORDER BY made_at LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`.execute(db)
  return isFullBatch(deleted)
}
