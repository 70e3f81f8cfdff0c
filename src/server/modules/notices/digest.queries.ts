import { sql } from 'kysely'
import { NOTICE_KINDS } from '#contract/notices.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { isOver } from '#server/domain/notice-over.ts'
import type { NoticeRow } from './notices.queries.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

export async function isDigestWanted(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM notice_digest WHERE user_id = ${userId}::bigint`.execute(db)
  return rows.length === 1
}

export async function hasProvedEmail(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM user_contacts
     WHERE user_id = ${userId}::bigint AND email IS NOT NULL AND email_verified_at IS NOT NULL`.execute(tx)
  return rows.length === 1
}

/** From the day after `today` on; what was told before is not told again. */
export async function insertDigest(tx: Tx, userId: string, today: string): Promise<void> {
  await sql`
    INSERT INTO notice_digest (user_id, made_on, told_until)
    VALUES (${userId}::bigint, ${today}::date,
            coalesce((SELECT max(id) FROM notice WHERE user_id = ${userId}::bigint), 0))
    ON CONFLICT (user_id) DO NOTHING`.execute(tx)
}

export async function deleteDigest(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('notice_digest').where('user_id', '=', userId).execute()
}

/** `email` is null where it is not proved any more. */
export type DueDigest = { userId: string; username: string; email: string | null; toldUntil: string }

/** Whether the last mail was of a day before, or of one after, which a clock that was ahead made. */
const isOfAnotherDay = (day: string) => sql<boolean>`(made_on < ${day}::date OR made_on > ${day}::date)`

/** The players whose mail of a day was not made yet. */
export async function listDueDigests(
  db: Db,
  isResting: IsResting,
  { day, limit }: { day: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT user_id AS id FROM notice_digest
     WHERE ${isOfAnotherDay(day)} AND NOT ${isResting(sql`notice_digest.user_id`)}
     ORDER BY made_on, user_id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of these players that still are due, which no other worker is making; they stay until the transaction ends. */
export async function lockDueDigests(tx: Tx, day: string, userIds: readonly string[]): Promise<DueDigest[]> {
  const { rows } = await sql<DueDigest>`
    SELECT d.user_id AS "userId", u.username, c.email, d.told_until AS "toldUntil"
      FROM notice_digest d JOIN users u ON u.id = d.user_id
      LEFT JOIN user_contacts c ON c.user_id = d.user_id AND c.email_verified_at IS NOT NULL
     WHERE ${isOfAnotherDay(day)} AND d.user_id = ANY (${[...userIds]}::bigint[])
     ORDER BY d.made_on, d.user_id FOR UPDATE OF d SKIP LOCKED`.execute(tx)
  return rows
}

/** `isOver`: nobody needs it any more. */
export type UnreadRow = NoticeRow & { userId: string; isOver: boolean }

/** What each has not read since the last one, the newest first, up to `limit` of each. */
export async function selectUnread(
  tx: Tx,
  due: readonly DueDigest[],
  { limit, now }: { limit: number; now: Date },
): Promise<UnreadRow[]> {
  const userIds = due.map(({ userId }) => userId)
  const since = due.map(({ toldUntil }) => toldUntil)
  const { rows } = await sql<UnreadRow>`
    SELECT w.user_id AS "userId", n.id, n.kind, n.data, n.created_at AS "createdAt", false AS "isRead",
           u.username AS captain, ${isOver(sql`${now}::timestamptz`)} AS "isOver"
      FROM unnest(${userIds}::bigint[], ${since}::bigint[]) AS w (user_id, told_until)
      CROSS JOIN LATERAL (
        SELECT * FROM notice o
         WHERE o.user_id = w.user_id AND o.read_at IS NULL AND o.id > w.told_until
           AND o.kind = ANY (${[...NOTICE_KINDS]}::text[])
         ORDER BY o.id DESC LIMIT ${limit}) n
      LEFT JOIN teams t ON t.id = (n.data ->> 'teamId')::bigint LEFT JOIN users u ON u.id = t.captain_id
     ORDER BY w.user_id, n.id DESC`.execute(tx)
  return rows
}

/** With the newest notice that each has now. */
export async function markDigestsMade(
  tx: Tx,
  made: readonly { userId: string; toldUntil: string }[],
  day: string,
): Promise<void> {
  const userIds = made.map(({ userId }) => userId)
  const until = made.map(({ toldUntil }) => toldUntil)
  await sql`
    UPDATE notice_digest d SET made_on = ${day}::date, told_until = m.told_until
      FROM unnest(${userIds}::bigint[], ${until}::bigint[]) AS m (user_id, told_until)
     WHERE d.user_id = m.user_id`.execute(tx)
}
