import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** `visitor` in hexadecimal. */
export type View = { postId: string; day: string; visitor: string }

/**
 * Writes who saw what, and raises a post's figure by those who had not been seen on that day. Posts that are gone or
 * hidden are passed over. Rows are locked in id order, so that two processes that write together do not deadlock.
 */
export async function insertViews(tx: Tx, views: readonly View[]): Promise<void> {
  await sql`
    WITH seen AS (
      SELECT * FROM unnest(${views.map((view) => view.postId)}::bigint[], ${views.map((view) => view.day)}::date[],
        ${views.map((view) => view.visitor)}::text[]) AS v (post_id, day, visitor)
    ), present AS (
      SELECT id FROM posts WHERE id IN (SELECT post_id FROM seen) AND is_published ORDER BY id FOR NO KEY UPDATE
    ), fresh AS (
      INSERT INTO post_view (post_id, day, visitor)
        SELECT seen.post_id, seen.day, decode(seen.visitor, 'hex') FROM seen JOIN present ON present.id = seen.post_id
        ON CONFLICT DO NOTHING RETURNING post_id
    )
    UPDATE posts SET views = views + counted.count
      FROM (SELECT post_id, count(*) AS count FROM fresh GROUP BY post_id) AS counted
     WHERE posts.id = counted.post_id`.execute(tx)
}

const PURGE_ROWS = 5_000

/** Removes one batch of the visitors of the days before `day`; true when there may be more. */
export async function removeViewsBefore(db: Db, day: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM post_view WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM post_view WHERE day < ${day}::date LIMIT ${PURGE_ROWS}))`.execute(db)
  return Number(numAffectedRows) === PURGE_ROWS
}
