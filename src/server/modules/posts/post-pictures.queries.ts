import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/transaction.ts'

const NAMED_MAX = 5

/** Some of the posts that show a picture now, in somebody's draft or in a revision. */
export async function listPictureUses(tx: Tx, hash: string): Promise<{ id: string; title: string }[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    SELECT p.id, p.title FROM posts p WHERE p.id IN (
        SELECT id FROM posts WHERE pictures @> ARRAY[${hash}]
        UNION SELECT post_id FROM post_draft WHERE pictures @> ARRAY[${hash}]
        UNION SELECT post_id FROM post_revision WHERE pictures @> ARRAY[${hash}])
      ORDER BY p.id DESC LIMIT ${NAMED_MAX}`.execute(tx)
  return rows
}
