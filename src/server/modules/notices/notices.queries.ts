import { sql, type RawBuilder } from 'kysely'
import { UNREAD_MAX } from '#contract/constants.ts'
import { NOTICE_KINDS, type NoticeKind } from '#contract/notices.ts'
import { notify } from '#server/domain/notices.ts'
import { inPages, onOnePage, type Person } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { NOTICE_DAYS_MAX, type StoredData } from './notices.rules.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'
import { BATCH_ROWS, isFullBatch } from '#server/platform/jobs/loop.ts'

type StoredNotice = { userIds: readonly string[]; kind: NoticeKind; subject: string; data: StoredData }

const always = sql<boolean>`true`

/** Nothing is written for whoever has turned the kind off or was erased, nor where `isWanted` is false. */
export function insertNotice(
  tx: Tx,
  { userIds, kind, subject, data }: StoredNotice,
  isWanted?: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const content = sql`SELECT ${subject}::text AS subject, ${JSON.stringify(data)}::jsonb AS data`
  return insertEach(tx, { userIds, kind, content }, isWanted)
}

type FoundNotices = {
  userIds: readonly string[]
  kind: NoticeKind
  event: string
  found: RawBuilder<unknown>
}

/** The same for each row of a query, which has the `subject` and the `data` of a notice. */
export const insertFoundNotices = (
  tx: Tx,
  { userIds, kind, event, found }: FoundNotices,
): RawBuilder<unknown> =>
  insertEach(tx, {
    userIds,
    kind,
    content: sql`SELECT ${`${event} `}::text || subject AS subject, data || jsonb_build_object('event', ${event}::text) AS data
      FROM (${found}) AS found`,
  })

/** Who is told: not erased, and has not turned the kind off. */
const isTold = (kind: NoticeKind) =>
  sql<boolean>`u.erased_at IS NULL AND NOT EXISTS (SELECT FROM notice_preference p WHERE p.user_id = u.id AND p.kind = ${kind} AND NOT p.by_bell)`

const once = sql`ON CONFLICT (user_id, kind, subject) DO NOTHING`

/** The same for many players, each with a subject and words of their own. */
export function insertNotices(
  tx: Tx,
  kind: NoticeKind,
  notices: readonly { userId: string; subject: string; data: StoredData }[],
): RawBuilder<unknown> {
  for (const { userId } of notices) notify(tx, 'notice_changed', userId)
  const users = notices.map(({ userId }) => userId)
  const subjects = notices.map(({ subject }) => subject)
  const data = notices.map((notice) => JSON.stringify(notice.data))
  return sql`
    INSERT INTO notice (user_id, kind, subject, data)
    SELECT u.id, ${kind}, content.subject, content.data::jsonb
      FROM unnest(${users}::bigint[], ${subjects}::text[], ${data}::text[]) AS content (user_id, subject, data)
      JOIN users u ON u.id = content.user_id
     WHERE ${isTold(kind)} ${once}`
}

function insertEach(
  tx: Tx,
  { userIds, kind, content }: Omit<FoundNotices, 'event' | 'found'> & { content: RawBuilder<unknown> },
  isWanted: RawBuilder<boolean> = always,
): RawBuilder<unknown> {
  for (const userId of userIds) notify(tx, 'notice_changed', userId)
  return sql`
    INSERT INTO notice (user_id, kind, subject, data)
    SELECT u.id, ${kind}, content.subject, content.data FROM users u, (${content}) AS content
     WHERE u.id = ANY(${[...userIds]}::bigint[]) AND ${isTold(kind)} AND ${isWanted} ${once}`
}

export type NoticeRow = {
  id: string
  kind: NoticeKind
  data: StoredData
  /** The username of the captain, of a notice about a team. */
  captain: string | null
  createdAt: Date
  isRead: boolean
}

const noticeRow = sql`
    SELECT n.id, n.kind, n.data, n.created_at AS "createdAt", n.read_at IS NOT NULL AS "isRead", u.username AS captain
      FROM notice n LEFT JOIN teams t ON t.id = (n.data ->> 'teamId')::bigint LEFT JOIN users u ON u.id = t.captain_id`

export async function selectNoticesById(db: Db, ids: readonly string[]): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    ${noticeRow} WHERE n.id = ANY(${[...ids]}::bigint[]) AND n.kind = ANY (${[...NOTICE_KINDS]}::text[])`.execute(
    db,
  )
  return rows
}

/** The newest first: those older than `after`, or the latest ones. Kinds of a newer release are left out. */
export async function selectNotices(
  db: Db,
  { userId, after, limit }: { userId: string; after: string | null; limit: number },
): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    ${noticeRow}
     WHERE n.user_id = ${userId}::bigint AND n.id < coalesce(${after}::bigint, 9223372036854775807)
       AND n.kind = ANY (${[...NOTICE_KINDS]}::text[])
     ORDER BY n.id DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** Not beyond the number that is shown. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (
      SELECT FROM notice WHERE user_id = ${userId}::bigint AND read_at IS NULL LIMIT ${UNREAD_MAX}) unread`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Marks one batch of a player's notices as read; true when there may be more. */
export async function markRead(
  db: Db,
  { userId, from, until }: { userId: string; from: string | null; until: string },
): Promise<boolean> {
  const marked = await sql`
    UPDATE notice SET read_at = clock_timestamp() WHERE id IN (
      SELECT id FROM notice
       WHERE user_id = ${userId}::bigint AND read_at IS NULL
         AND id BETWEEN coalesce(${from}::bigint, 0) AND ${until}::bigint
       ORDER BY id DESC LIMIT ${BATCH_ROWS} FOR UPDATE)`.execute(db)
  notify(db, 'notice_changed', userId)
  return isFullBatch(marked)
}

/** The latest unread ones, as many as are counted. */
export async function selectUnread(db: Db, userId: string): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    ${noticeRow}
     WHERE n.user_id = ${userId}::bigint AND n.read_at IS NULL AND n.kind = ANY (${[...NOTICE_KINDS]}::text[])
     ORDER BY n.id DESC LIMIT ${UNREAD_MAX}`.execute(db)
  return rows
}

export async function markEachRead(db: Db, userId: string, ids: readonly string[]): Promise<void> {
  await sql`
    UPDATE notice SET read_at = clock_timestamp()
     WHERE id = ANY (${[...ids]}::bigint[]) AND user_id = ${userId}::bigint AND read_at IS NULL`.execute(db)
  notify(db, 'notice_changed', userId)
}

export type Preference = { kind: NoticeKind; byBell: boolean; byMail: boolean }

/** Without those that were never changed. */
export async function selectPreferences(db: Db, userId: string): Promise<Preference[]> {
  const { rows } = await sql<Preference>`
    SELECT kind, by_bell AS "byBell", by_mail AS "byMail" FROM notice_preference
     WHERE user_id = ${userId}::bigint`.execute(db)
  return rows
}

/** In the order of their kinds, so that two calls at once do not wait for each other. */
export async function upsertPreferences(
  db: Db,
  userId: string,
  preferences: readonly Preference[],
): Promise<void> {
  const kinds = preferences.map(({ kind }) => kind)
  const byBell = preferences.map((preference) => preference.byBell)
  const byMail = preferences.map((preference) => preference.byMail)
  await sql`
    INSERT INTO notice_preference (user_id, kind, by_bell, by_mail)
    SELECT ${userId}::bigint, kind, by_bell, by_mail
      FROM unnest(${kinds}::text[], ${byBell}::boolean[], ${byMail}::boolean[]) AS chosen (kind, by_bell, by_mail)
     ORDER BY kind
    ON CONFLICT (user_id, kind) DO UPDATE SET by_bell = excluded.by_bell, by_mail = excluded.by_mail`.execute(
    db,
  )
}

/** Who of these players has proved an address and wants mails of a kind. */
export async function selectMailed(
  tx: Tx,
  userIds: readonly string[],
  kind: NoticeKind,
): Promise<{ username: string; email: string }[]> {
  const { rows } = await sql<{ username: string; email: string }>`
    SELECT u.username, c.email FROM users u JOIN user_contacts c ON c.user_id = u.id
     WHERE u.id = ANY(${[...userIds]}::bigint[]) AND u.erased_at IS NULL
       AND c.email IS NOT NULL AND c.email_verified_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM notice_preference p WHERE p.user_id = u.id AND p.kind = ${kind} AND NOT p.by_mail)`.execute(
    tx,
  )
  return rows
}

/** Deletes one batch of notices that are past their time; true when there may be more. */
export const removeOldNotices = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'old notices',
    table: 'notice',
    isDue: sql`due.created_at < now() - make_interval(days => ${NOTICE_DAYS_MAX}::integer)`,
    order: sql`due.created_at`,
  })

export const exportNotices = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT id::text AS cursor, kind, data, created_at, read_at FROM notice
     WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0) ORDER BY id LIMIT ${limit}`,
)

export const exportPreferences = onOnePage(
  ({ id }) => sql`
    SELECT kind, by_bell, by_mail FROM notice_preference WHERE user_id = ${id}::bigint ORDER BY kind`,
)

export const exportDigest = onOnePage(
  ({ id }) => sql`
    SELECT made_on::text AS made_on FROM notice_digest WHERE user_id = ${id}::bigint`,
)

export async function eraseNoticesOf(tx: Tx, { id }: Person): Promise<void> {
  await tx.deleteFrom('notice_digest').where('user_id', '=', id).execute()
  await tx.deleteFrom('notice').where('user_id', '=', id).execute()
  await tx.deleteFrom('notice_preference').where('user_id', '=', id).execute()
}
