import { sql } from 'kysely'
import { isOver } from '#server/domain/notice-over.ts'
import { isLiveSession } from '#server/modules/sessions/index.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { DELAY_SECONDS_MAX, SUBSCRIPTIONS_MAX } from './push.rules.ts'
import type { DuePart } from '#server/platform/queues/claiming.ts'

export type StoredKeys = { publicKey: string; sealedPrivateKey: Buffer }

export async function selectKeys(db: Db): Promise<StoredKeys | undefined> {
  const { rows } = await sql<StoredKeys>`
    SELECT public_key AS "publicKey", sealed_private_key AS "sealedPrivateKey" FROM push_key WHERE is_only`.execute(
    db,
  )
  return rows[0]
}

/** Of processes that make keys at once, one stores them. */
export async function insertKeys(db: Db, { publicKey, sealedPrivateKey }: StoredKeys): Promise<void> {
  await sql`
    INSERT INTO push_key (public_key, sealed_private_key) VALUES (${publicKey}, ${sealedPrivateKey})
    ON CONFLICT DO NOTHING`.execute(db)
}

export async function selectSubscriptionOf(db: Db, sessionId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM push_subscription WHERE session_id = ${sessionId}::bigint`.execute(db)
  return rows[0]?.id ?? null
}

type Holder = { userId: string; sessionId: string }
export type NewSubscription = Holder & { endpoint: string; p256dh: string; auth: string }

/** False when the session has ended; else it stays until the transaction ends. */
export async function lockSession(tx: Tx, { userId, sessionId }: Holder): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM sessions WHERE id = ${sessionId}::bigint AND user_id = ${userId}::bigint FOR NO KEY UPDATE`.execute(
    tx,
  )
  return rows.length === 1
}

/** In place of what the session had; whoever had the same browser before has it no more. Answers its id. */
export async function upsertSubscription(tx: Tx, subscription: NewSubscription): Promise<string> {
  const { userId, sessionId, endpoint, p256dh, auth } = subscription
  await sql`
    DELETE FROM push_subscription WHERE session_id = ${sessionId}::bigint AND endpoint <> ${endpoint}`.execute(
    tx,
  )
  const { rows } = await sql<{ id: string }>`
    INSERT INTO push_subscription (user_id, session_id, endpoint, p256dh, auth)
    VALUES (${userId}::bigint, ${sessionId}::bigint, ${endpoint}, ${p256dh}, ${auth})
    ON CONFLICT (endpoint) DO UPDATE
      SET user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
          failures = 0, created_at = clock_timestamp()
    RETURNING id`.execute(tx)
  await sql`
    DELETE FROM push_subscription WHERE id IN (
      SELECT id FROM push_subscription WHERE user_id = ${userId}::bigint
       ORDER BY created_at DESC, id DESC OFFSET ${SUBSCRIPTIONS_MAX})`.execute(tx)
  return rows[0]?.id ?? ''
}

/** False when the player has no such subscription. */
export async function deleteSubscription(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const deleted = await sql`
    DELETE FROM push_subscription WHERE id = ${id}::bigint AND user_id = ${userId}::bigint`.execute(tx)
  return deleted.numAffectedRows === 1n
}

export async function hasSubscriptions(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM push_subscription WHERE user_id = ${userId}::bigint LIMIT 1`.execute(tx)
  return rows.length === 1
}

/** The right to send one message and to record the result, until the lease ends. */
export type ClaimedMessage = {
  noticeId: string
  subscriptionId: string
  /** Counts the leases; distinguishes this lease from a later one of the same message. */
  attempt: number
  ageSeconds: number
  /** Null where the browser, its session or the notice is gone, or the notice was read or is over. */
  to: { endpoint: string; p256dh: string; auth: string; failures: number } | null
}

const messageId = sql<string>`(notice_id || ':' || subscription_id)`

/** The longest due first. */
export const dueMessages = ({ limit, isWanted }: DuePart) => sql<{ id: string }>`
  SELECT notice_id, subscription_id, ${messageId} AS id FROM push_message
   WHERE ${isDue(sql`next_attempt_at`, DELAY_SECONDS_MAX)} AND ${isWanted(messageId)}
   ORDER BY next_attempt_at LIMIT ${limit}`

/** Leases due messages, skipping what another worker is just taking. */
export async function claimDueMessages(
  db: Db,
  part: DuePart,
  leaseSeconds: number,
): Promise<ClaimedMessage[]> {
  const { rows } = await sql<ClaimedMessage>`
    WITH due AS (${dueMessages(part)} FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE push_message m
         SET attempt = m.attempt + 1, next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        FROM due WHERE m.notice_id = due.notice_id AND m.subscription_id = due.subscription_id
      RETURNING m.notice_id, m.subscription_id, m.attempt, m.created_at)
    SELECT c.notice_id AS "noticeId", c.subscription_id AS "subscriptionId", c.attempt,
           extract(epoch FROM now() - c.created_at)::float8 AS "ageSeconds", target.to
      FROM claimed c LEFT JOIN LATERAL (
        SELECT jsonb_build_object('endpoint', p.endpoint, 'p256dh', p.p256dh, 'auth', p.auth, 'failures', p.failures) AS to
          FROM push_subscription p JOIN sessions s ON s.id = p.session_id
         WHERE p.id = c.subscription_id AND ${isLiveSession()}
           AND EXISTS (SELECT FROM notice n
                        WHERE n.id = c.notice_id AND n.user_id = p.user_id AND n.read_at IS NULL
                          AND NOT ${isOver(sql`now()`)})) target ON true`.execute(db)
  return rows
}

type Claim = Pick<ClaimedMessage, 'noticeId' | 'subscriptionId' | 'attempt'>

/** Nothing where another worker has the message by now. */
export async function deleteMessage(
  db: Db,
  { noticeId, subscriptionId, attempt }: Claim,
  { isSent }: { isSent: boolean },
): Promise<void> {
  await sql`
    DELETE FROM push_message
     WHERE notice_id = ${noticeId}::bigint AND subscription_id = ${subscriptionId}::bigint AND attempt = ${attempt}`.execute(
    db,
  )
  if (!isSent) return
  await sql`
    UPDATE push_subscription SET failures = 0
     WHERE id = ${subscriptionId}::bigint AND failures > 0`.execute(db)
}

export async function postponeMessage(
  db: Db,
  { noticeId, subscriptionId, attempt }: Claim,
  delaySeconds: number,
): Promise<void> {
  await sql`
    UPDATE push_message SET next_attempt_at = clock_timestamp() + make_interval(secs => ${delaySeconds})
     WHERE notice_id = ${noticeId}::bigint AND subscription_id = ${subscriptionId}::bigint AND attempt = ${attempt}`.execute(
    db,
  )
  await sql`
    UPDATE push_subscription SET failures = failures + 1 WHERE id = ${subscriptionId}::bigint`.execute(db)
}

/** A browser that is gone, with all that waits for it; not one that has subscribed again meanwhile. */
export async function forgetBrowser(
  db: Db,
  { subscriptionId, to }: { subscriptionId: string; to: { p256dh: string } },
): Promise<void> {
  await sql`
    DELETE FROM push_subscription WHERE id = ${subscriptionId}::bigint AND p256dh = ${to.p256dh}`.execute(db)
  await sql`DELETE FROM push_message WHERE subscription_id = ${subscriptionId}::bigint`.execute(db)
}

export const exportSubscriptions = onOnePage(
  ({ id }) => sql`
    SELECT endpoint, created_at FROM push_subscription WHERE user_id = ${id}::bigint ORDER BY id`,
)

export async function eraseSubscriptionsOf(tx: Tx, { id }: Person): Promise<void> {
  await tx.deleteFrom('push_subscription').where('user_id', '=', id).execute()
}
