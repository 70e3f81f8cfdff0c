import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { AGE_DAYS_MAX, IDLE_DAYS_MAX } from './sessions.rules.ts'

// Time is the database's throughout, so that every process agrees on when a session is over.
const isLive = sql<boolean>`s.expires_at > now() AND s.last_used_at > now() - make_interval(days => ${IDLE_DAYS_MAX})`

type NewSession = { userId: string; tokenHash: Buffer; userAgent: string }

export async function insertSession(tx: Tx, { userId, tokenHash, userAgent }: NewSession): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO sessions (user_id, token_hash, expires_at, user_agent)
    VALUES (${userId}::bigint, ${tokenHash}, now() + make_interval(days => ${AGE_DAYS_MAX}), ${userAgent})
    RETURNING id`.execute(tx)
  return (rows[0] as { id: string }).id
}

/**
 * Opens a session for the holder of the password that was just checked; undefined when that password is no longer
 * theirs. The share lock makes a change of password wait for us, or us for it: the sessions it ends include this one.
 */
export async function insertSessionFor(
  db: Db,
  { userId, tokenHash, userAgent, passwordHash }: NewSession & { passwordHash: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    WITH holder AS (
      SELECT id FROM users WHERE id = ${userId}::bigint AND password_hash = ${passwordHash} FOR SHARE)
    INSERT INTO sessions (user_id, token_hash, expires_at, user_agent)
    SELECT id, ${tokenHash}::bytea, now() + make_interval(days => ${AGE_DAYS_MAX}), ${userAgent} FROM holder
    RETURNING id`.execute(db)
  return rows[0]?.id
}

type LiveSession = { id: string; userId: string; roles: string[]; isTouchDue: boolean }

export async function findLiveSession(db: Db, tokenHash: Buffer): Promise<LiveSession | undefined> {
  const { rows } = await sql<LiveSession>`
    SELECT s.id, s.user_id AS "userId",
           ARRAY(SELECT r.role FROM user_roles r WHERE r.user_id = s.user_id) AS roles,
           s.last_used_at < now() - interval '1 minute' AS "isTouchDue"
      FROM sessions s
     WHERE s.token_hash = ${tokenHash} AND ${isLive}`.execute(db)
  return rows[0]
}

/** Notes that a session is in use. Of many calls at once, one writes. */
export async function touchSession(db: Db, id: string): Promise<void> {
  await sql`
    UPDATE sessions SET last_used_at = now()
     WHERE id = ${id}::bigint AND last_used_at < now() - interval '1 minute'`.execute(db)
}

export type SessionRow = { id: string; createdAt: Date; lastUsedAt: Date; userAgent: string }

export async function listLiveSessions(db: Db, userId: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    SELECT s.id, s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt", s.user_agent AS "userAgent"
      FROM sessions s
     WHERE s.user_id = ${userId}::bigint AND ${isLive}
     ORDER BY s.created_at DESC, s.id DESC LIMIT 50`.execute(db)
  return rows
}

/** False when the player has no such session. */
export async function deleteSession(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes every session of a player save, when given, one; answers how many. */
export async function deleteSessionsOf(
  db: Db | Tx,
  { userId, except }: { userId: string; except: string | null },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM sessions WHERE user_id = ${userId}::bigint AND id IS DISTINCT FROM ${except}::bigint`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Deletes at most `limit` sessions that are past their absolute limit; answers how many. */
export async function deleteExpiredSessions(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    `.execute(db)
  return Number(numAffectedRows)
}
