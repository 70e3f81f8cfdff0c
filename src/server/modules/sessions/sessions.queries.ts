import { sql } from 'kysely'
import { APPROVING_ROLES, FORMER_ROLE_DAYS } from '#contract/operator/proposals.ts'
import type { User } from '#contract/users.ts'
import { CONSOLE_IDLE_MINUTES } from '#contract/operator/session.ts'
import { consentState } from '#server/modules/consents/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isPast } from '#server/platform/db/due.ts'
import { notify } from '#server/domain/notices.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import { onOnePage } from '#server/domain/personal-part.ts'
import { forgetSession, type LiveSession, type SessionKind } from './session-cache.ts'
import {
  AGE_DAYS_MAX,
  IDLE_DAYS_MAX,
  CONSOLE_AGE_HOURS_MAX,
  SESSIONS_MAX,
  STEP_UP_MINUTES,
} from './sessions.rules.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'

// Time is the database's throughout, so that every process agrees on when a session is over.
/** Of the session `s`. */
export const isLive = sql<boolean>`s.expires_at > now()
  AND (s.kind = 'console' OR s.last_used_at > now() - make_interval(days => ${IDLE_DAYS_MAX}::integer))`

const TOUCHED_AFTER_SECONDS = 60
const isTouchDue = isPast(sql`s.last_used_at`, TOUCHED_AFTER_SECONDS)

export type { SessionKind }

type NewSession = {
  userId: string
  tokenHash: Buffer
  userAgent: string
  place: string
  kind: SessionKind
}

export async function insertSession(tx: Tx, session: NewSession): Promise<string> {
  const { userId, tokenHash, userAgent, place, kind } = session
  const hours = kind === 'console' ? CONSOLE_AGE_HOURS_MAX : AGE_DAYS_MAX * 24
  const { rows } = await sql<{ id: string }>`
    INSERT INTO sessions (user_id, token_hash, expires_at, user_agent, place, kind)
    VALUES (${userId}::bigint, ${tokenHash}, now() + make_interval(hours => ${hours}::integer), ${userAgent},
            ${place}, ${kind})
    RETURNING id`.execute(tx)
  return (rows[0] as { id: string }).id
}

/**
 * Whether a password that was just checked is still the account's. The lock makes a change of password wait for us, or
 * us for it: the sessions it ends include the one that is now opened. It also lets one account's sign-ins come in turn.
 */
export async function lockHolder(
  tx: Tx,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM users WHERE id = ${userId}::bigint AND password_hash = ${passwordHash} FOR NO KEY UPDATE`.execute(
    tx,
  )
  return rows.length === 1
}

export async function findLiveSession(db: Db, tokenHash: Buffer): Promise<LiveSession | undefined> {
  const { rows } = await sql<LiveSession>`
    SELECT s.id, s.user_id AS "userId",
           ARRAY(SELECT r.role FROM user_roles r WHERE r.user_id = s.user_id) AS roles,
           EXISTS (SELECT FROM former_role f WHERE f.user_id = s.user_id AND f.role = ANY(${[...APPROVING_ROLES]}::text[])
                      AND f.taken_at > now() - make_interval(days => ${FORMER_ROLE_DAYS}::integer))
             AS "isFormerApprover",
           s.kind,
           s.kind = 'console' AND ${isPast(sql`s.last_used_at`, CONSOLE_IDLE_MINUTES * 60)}
             AS "isLocked",
           CASE WHEN s.step_up_at > now() - make_interval(mins => ${STEP_UP_MINUTES}::integer)
                THEN s.step_up_at + make_interval(mins => ${STEP_UP_MINUTES}::integer) END AS "steppedUpUntil",
           ${isTouchDue} AS "isTouchDue",
           extract(epoch FROM s.expires_at - now())::float8 * 1000 AS "endsInMs"
      FROM sessions s
     WHERE s.token_hash = ${tokenHash} AND ${isLive}`.execute(db)
  return rows[0]
}

/** A player as the contract names it, with the contacts not masked yet. */
export type CurrentUserRow = Omit<
  User,
  'balance' | 'balance_version' | 'first_gift' | 'ban_until' | 'permission_names'
> & {
  balance: string
  balance_version: string
  /** The package a player took, if it was not refunded. */
  first_gift: string | null
  ban_until: Date | null
}

/** What a statement that has the player as `u` selects and joins for a `CurrentUserRow`. */
const currentUser = {
  columns: sql`u.id, u.username, u.server_id, server.name AS server_name, w.balance, w.version AS balance_version, u.ban_until, u.ban_reason,
           EXISTS (SELECT FROM activation a WHERE a.user_id = u.id) AS activated,
           (SELECT g.package_id FROM first_gift g WHERE g.user_id = u.id AND g.voided_at IS NULL) AS first_gift,
           ARRAY(SELECT r.role FROM user_roles r WHERE r.user_id = u.id ORDER BY r.role) AS role_names,
           c.email, c.email_verified_at IS NOT NULL AS email_verified,
           c.phone, c.phone_verified_at IS NOT NULL AS phone_verified, ${consentState(sql`u.id`)}`,
  joins: sql`JOIN ledger_account w ON w.id = u.wallet_account_id
      JOIN servers server ON server.id = u.server_id
      LEFT JOIN user_contacts c ON c.user_id = u.id`,
}

type VerifiedRow = CurrentUserRow & { sessionId: string; isTouchDue: boolean }

/** The player whose live session a token is, and what they agreed to, in one statement. */
export async function findVerified(db: Db, tokenHash: Buffer): Promise<VerifiedRow | undefined> {
  const { rows } = await sql<VerifiedRow>`
    SELECT s.id AS "sessionId", ${isTouchDue} AS "isTouchDue",
           ${currentUser.columns}
      FROM sessions s JOIN users u ON u.id = s.user_id ${currentUser.joins}
     WHERE s.token_hash = ${tokenHash} AND s.kind = 'player' AND ${isLive}`.execute(db)
  return rows[0]
}

/** The same without a session. */
export async function findCurrentUser(db: Db, userId: string): Promise<CurrentUserRow | undefined> {
  const { rows } = await sql<CurrentUserRow>`
    SELECT ${currentUser.columns}
      FROM users u ${currentUser.joins}
     WHERE u.id = ${userId}::bigint`.execute(db)
  return rows[0]
}

/** Notes that a session is in use. Of many calls at once, one writes. */
export async function touchSession(db: Db, id: string): Promise<void> {
  await sql`
    UPDATE sessions SET last_used_at = now()
     WHERE id = ${id}::bigint AND ${isPast(sql`last_used_at`, TOUCHED_AFTER_SECONDS)}`.execute(db)
}

type SessionRow = {
  id: string
  kind: SessionKind
  createdAt: Date
  lastUsedAt: Date
  userAgent: string
  place: string
}

export async function listLiveSessions(db: Db, userId: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    SELECT s.id, s.kind, s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt", s.user_agent AS "userAgent", s.place
      FROM sessions s
     WHERE s.user_id = ${userId}::bigint AND ${isLive}
     ORDER BY s.created_at DESC, s.id DESC LIMIT ${SESSIONS_MAX}`.execute(db)
  return rows
}

type Ended = { id: string }

/** After the commit this process forgets the sessions at once, the others and all streams when the notice arrives. */
function reportEnded(db: Db | Tx, { rows }: { rows: readonly Ended[] }): number {
  for (const { id } of rows) {
    if (db.isTransaction) afterCommit('forget a session', (root) => forgetSession(root, id))
    else forgetSession(db, id)
    notify(db, 'session_ended', id)
  }
  return rows.length
}

/** False when the player has no such session. */
export async function deleteSession(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const ended = await sql<Ended>`
    DELETE FROM sessions WHERE id = ${id}::bigint AND user_id = ${userId}::bigint RETURNING id`.execute(db)
  return reportEnded(db, ended) === 1
}

/** All of a player, but for one that is named, or those for one site. */
type SessionsOf = { userId: string; except?: string | null; kind?: SessionKind | null }

/** Returns how many. */
export async function deleteSessions(
  db: Db | Tx,
  { userId, except = null, kind = null }: SessionsOf,
): Promise<number> {
  const ended = await sql<Ended>`
    DELETE FROM sessions
     WHERE user_id = ${userId}::bigint AND id IS DISTINCT FROM ${except}::bigint
       AND kind = coalesce(${kind}::text, kind)
    RETURNING id`.execute(db)
  return reportEnded(db, ended)
}

/** Deletes what a player has beyond so many sessions, the longest unused first. */
export async function deleteSessionsBeyond(tx: Tx, userId: string): Promise<void> {
  const ended = await sql<Ended>`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ${userId}::bigint
       ORDER BY last_used_at DESC, id DESC OFFSET ${SESSIONS_MAX})
    RETURNING id`.execute(tx)
  reportEnded(tx, ended)
}

/** Also unlocks the session; returns until when the step-up is valid, undefined when there is no such session. */
export async function updateStepUp(tx: Tx, sessionId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date }>`
    UPDATE sessions SET step_up_at = now(), last_used_at = now() WHERE id = ${sessionId}::bigint
    RETURNING step_up_at + make_interval(mins => ${STEP_UP_MINUTES}::integer) AS until`.execute(tx)
  return rows[0]?.until
}

/** Removes one batch of sessions that are past their absolute limit; true when there may be more. */
export const removeExpiredSessions = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'expired sessions',
    table: 'sessions',
    isDue: sql`due.expires_at <= now()`,
    order: sql`due.expires_at`,
    skipsLocked: true,
  })

export const exportSessions = onOnePage(
  ({ id }) => sql`
    SELECT kind, created_at, last_used_at, expires_at, user_agent, place FROM sessions
     WHERE user_id = ${id}::bigint ORDER BY created_at`,
)
