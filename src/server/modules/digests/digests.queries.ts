import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ActCount, DigestRow } from './digest.rules.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

/** Of each operator, the first ones; a day's work is far less. */
const READ_MAX = 2_000

/** The acts of one day that a digest lists, in their order. */
export async function listDigestRows(
  db: Db,
  { actions, start, end }: { actions: readonly string[]; start: Date; end: Date },
): Promise<DigestRow[]> {
  const { rows } = await sql<DigestRow>`
    SELECT entry.actor_id AS "actorId", actor.username, entry.action, entry.subject_type AS "subjectType",
           entry.subject_id AS "subjectId", entry.details,
           CASE WHEN entry.subject_type IN ('user', 'roles')
                THEN (SELECT username FROM users WHERE id = entry.subject_id::bigint)
                WHEN entry.subject_type = 'promotion'
                THEN (SELECT title FROM promotion WHERE id = entry.subject_id::bigint)
                WHEN entry.subject_type = 'milestones'
                THEN (SELECT title FROM milestone_program WHERE id = entry.subject_id::bigint)
                WHEN entry.subject_type = 'gift-codes'
                THEN (SELECT title FROM gift_code_batch WHERE id = entry.subject_id::bigint) END AS "subjectName"
      FROM (SELECT *, row_number() OVER (PARTITION BY actor_id ORDER BY at, seq) AS place
              FROM audit_log
             WHERE at >= ${start} AND at < ${end} AND action = ANY(${actions}::text[])) entry
      LEFT JOIN users actor ON actor.id = entry.actor_id
     WHERE entry.place <= ${READ_MAX}
     ORDER BY entry.at, entry.seq`.execute(db)
  return rows
}

/** How often each operator did what a digest tells of on one day. */
export async function countActs(
  db: Db,
  { actions, start, end }: { actions: readonly string[]; start: Date; end: Date },
): Promise<ActCount[]> {
  const { rows } = await sql<ActCount>`
    SELECT entry.actor_id AS "actorId", actor.username, entry.action, count(*)::integer AS count
      FROM audit_log entry LEFT JOIN users actor ON actor.id = entry.actor_id
     WHERE entry.at >= ${start} AND entry.at < ${end} AND entry.action = ANY(${actions}::text[])
     GROUP BY entry.actor_id, actor.username, entry.action
     ORDER BY min(entry.at), entry.action`.execute(db)
  return rows
}

/** What a clock that was ahead made of days that are not over is made again when they are. */
export async function removeDigestsAfter(db: Db, day: string): Promise<void> {
  await sql`DELETE FROM daily_digest WHERE day > ${day}::date`.execute(db)
}

/** False when this owner's digest of the day was made before. */
export async function insertDigest(
  tx: Tx,
  { day, userId, isSent }: { day: string; userId: string; isSent: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO daily_digest (day, user_id, is_sent) VALUES (${day}::date, ${userId}::bigint, ${isSent})
    ON CONFLICT DO NOTHING`.execute(tx)
  return numAffectedRows === 1n
}

/** Of these owners those whose digest of a day was not made yet. */
export async function listUndigested(
  db: Db,
  isResting: IsResting,
  { day, userIds }: { day: string; userIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT owner.id FROM unnest(${[...userIds]}::bigint[]) AS owner (id)
     WHERE NOT ${isResting(sql`owner.id`)}
       AND NOT EXISTS (SELECT FROM daily_digest d WHERE d.day = ${day}::date AND d.user_id = owner.id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
