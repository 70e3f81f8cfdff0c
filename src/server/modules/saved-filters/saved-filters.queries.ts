import { sql } from 'kysely'
import type { SavedFilter } from '#contract/operator/session.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'

type Own = { userId: string; id: string }
type StoredFilter = Omit<SavedFilter, 'is_valid'>

export async function selectSaved(db: Db, userId: string, list: string): Promise<StoredFilter[]> {
  const { rows } = await sql<StoredFilter>`
    SELECT id, name, query FROM saved_filter WHERE user_id = ${userId}::bigint AND list = ${list}
     ORDER BY name`.execute(db)
  return rows
}

/** Of one operator's saved filters of one list; what else they save at the same time waits, until the transaction ends. */
export async function countLocked(tx: Tx, userId: string, list: string): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`saved_filter:${userId}:${list}`}, 0))`.execute(
    tx,
  )
  return countRows(tx.selectFrom('saved_filter').where('user_id', '=', userId).where('list', '=', list))
}

/** Undefined when the name is taken. */
export async function insertSaved(
  tx: Tx,
  { userId, list, name, query }: Omit<StoredFilter, 'id'> & { userId: string; list: string },
): Promise<StoredFilter | undefined> {
  const { rows } = await sql<StoredFilter>`
    INSERT INTO saved_filter (user_id, list, name, query)
    VALUES (${userId}::bigint, ${list}, ${name}, ${JSON.stringify(query)}::jsonb)
    ON CONFLICT (user_id, list, name) DO NOTHING RETURNING id, name, query`.execute(tx)
  return rows[0]
}

/** Null when another one of the list has the name, false when it is not theirs. */
export async function updateName(
  db: Db,
  { userId, id, name }: Own & { name: string },
): Promise<boolean | null> {
  const { rows } = await sql<{ isFree: boolean }>`
    WITH own AS (SELECT id, list FROM saved_filter WHERE id = ${id}::bigint AND user_id = ${userId}::bigint),
      free AS (SELECT own.id, NOT EXISTS (SELECT FROM saved_filter other
        WHERE other.user_id = ${userId}::bigint AND other.list = own.list AND other.name = ${name}
          AND other.id <> own.id) AS is_free FROM own),
      renamed AS (UPDATE saved_filter SET name = ${name} FROM free WHERE saved_filter.id = free.id AND free.is_free)
    SELECT is_free AS "isFree" FROM free`.execute(db)
  return rows[0] === undefined ? false : rows[0].isFree || null
}

export async function deleteSaved(db: Db, { userId, id }: Own): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_filter')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const exportSavedFilters = onOnePage(
  ({ id }) => sql`
    SELECT list, name, query FROM saved_filter WHERE user_id = ${id}::bigint ORDER BY id`,
)

/** A person's name, address or character may also be in the filter of another operator. */
export async function eraseFiltersOf(
  tx: Tx,
  { id, username, email, phone, characters }: Person,
): Promise<void> {
  const names = [username, email, phone, ...characters.map(({ name }) => name)].filter(
    (name) => name !== null,
  )
  await sql`
    DELETE FROM saved_filter WHERE user_id = ${id}::bigint
        OR EXISTS (SELECT FROM unnest(${names}::text[]) AS known
                    WHERE strpos(lower(name || query::text), lower(known)) > 0)`.execute(tx)
}
