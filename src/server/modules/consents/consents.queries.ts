import { sql, type RawBuilder } from 'kysely'
import type { Consent, ConsentSubject } from '#contract/legal.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { inPages } from '#server/domain/personal-part.ts'

type NewConsent = Omit<Consent, 'id' | 'at'>

export type ConsentRow = NewConsent & { id: string; at: Date }

const RECORDS_MAX = 50

const record: RawBuilder<unknown> = sql`id, subject, version, is_given AS given, source, at`

export async function insertConsent(tx: Tx, userId: string, consent: NewConsent): Promise<ConsentRow> {
  const { rows } = await sql<ConsentRow>`
    INSERT INTO consent (user_id, subject, version, is_given, source)
      VALUES (${userId}, ${consent.subject}, ${consent.version}, ${consent.given}, ${consent.source})
      RETURNING ${record}`.execute(tx)
  return rows[0] as ConsentRow
}

export async function listRecords(db: Db, userId: string): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    SELECT ${record} FROM consent WHERE user_id = ${userId}::bigint ORDER BY id DESC LIMIT ${RECORDS_MAX}`.execute(
    db,
  )
  return rows
}

/** What was answered last on a subject. */
export async function findLatest(
  db: Db | Tx,
  userId: string,
  subject: ConsentSubject,
): Promise<ConsentRow | undefined> {
  const { rows } = await sql<ConsentRow>`
    SELECT ${record} FROM consent WHERE user_id = ${userId}::bigint AND subject = ${subject}
     ORDER BY id DESC LIMIT 1`.execute(db)
  return rows[0]
}

/** What was answered last on each subject. */
export async function listLatest(
  db: Db,
  userId: string,
  subjects: readonly ConsentSubject[],
): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    SELECT latest.* FROM unnest(${subjects}::text[]) AS asked (about) CROSS JOIN LATERAL (
      SELECT ${record} FROM consent WHERE user_id = ${userId}::bigint AND subject = asked.about
       ORDER BY id DESC LIMIT 1) latest`.execute(db)
  return rows
}

export const consentColumns = (userId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(SELECT coalesce(json_agg(json_build_object('kind', t.kind, 'version', t.version) ORDER BY t.kind DESC), '[]')
              FROM (SELECT kind, max(version) AS version FROM legal_text
                     WHERE kind IN ('terms', 'privacy') GROUP BY kind) t
             WHERE NOT EXISTS (
               SELECT FROM consent c
                WHERE c.user_id = ${userId} AND c.subject = t.kind AND c.version = t.version)) AS unread_texts,
           (SELECT c.is_given FROM consent c WHERE c.user_id = ${userId} AND c.subject = 'pixel'
             ORDER BY c.id DESC LIMIT 1) AS pixel_consent`

export const exportConsents = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT id::text AS cursor, subject, version, is_given, source, at FROM consent
     WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0) ORDER BY id LIMIT ${limit}`,
)
