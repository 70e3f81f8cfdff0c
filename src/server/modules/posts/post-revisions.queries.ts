import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { uploadsIn } from '#server/modules/pictures/index.ts'
import type { StoredPost } from './operator-posts.queries.ts'

const KEPT_MAX = 100

/** What a post was, as its revision holds it. Moments are texts. */
export type RevisionState = Pick<
  StoredPost,
  'title' | 'excerpt' | 'content' | 'cover' | 'new' | 'pinned' | 'published' | 'category_ids'
> & { publish_at: string }

function stateOf(post: StoredPost): RevisionState {
  const { title, excerpt, content, cover, pinned, published, category_ids, publish_at } = post
  return {
    title,
    excerpt,
    content,
    cover,
    new: post.new,
    pinned,
    published,
    category_ids,
    publish_at: publish_at.toISOString(),
  }
}

/**
 * Keeps a state of a post, whose row is locked, unless it is kept already. `savedBy` is null for a state from before
 * revisions were kept. The oldest of more than a hundred goes.
 */
export async function saveRevision(tx: Tx, post: StoredPost, savedBy: string | null): Promise<void> {
  const { rows } = await sql<{ revision: number }>`
    INSERT INTO post_revision (post_id, revision, state, pictures, saved_by, saved_at)
      SELECT p.id, coalesce((SELECT max(revision) FROM post_revision WHERE post_id = p.id), 0) + 1,
          ${JSON.stringify(stateOf(post))}::jsonb, ${uploadsIn(post.content, post.cover)}, ${savedBy}::bigint, ${post.updated_at}
        FROM posts p WHERE p.id = ${post.id}::bigint
          AND (${savedBy}::bigint IS NOT NULL OR NOT EXISTS (SELECT FROM post_revision WHERE post_id = p.id))
      RETURNING revision`.execute(tx)
  const newest = rows[0]?.revision
  if (newest === undefined) return
  await tx
    .deleteFrom('post_revision')
    .where('post_id', '=', post.id)
    .where('revision', '<=', newest - KEPT_MAX)
    .execute()
}

export type RevisionRow = {
  revision: number
  title: string
  published: boolean
  publish_at: string
  saved_at: Date
  saved_by: { id: string; username: string } | null
}

export async function listRevisionRows(db: Db, postId: string): Promise<RevisionRow[]> {
  const { rows } = await sql<RevisionRow>`
    SELECT r.revision, r.state ->> 'title' AS title, (r.state -> 'published')::boolean AS published,
        r.state ->> 'publish_at' AS publish_at, r.saved_at,
        CASE WHEN u.id IS NOT NULL THEN jsonb_build_object('id', u.id::text, 'username', u.username) END AS saved_by
      FROM post_revision r LEFT JOIN users u ON u.id = r.saved_by
     WHERE r.post_id = ${postId}::bigint ORDER BY r.revision DESC LIMIT ${KEPT_MAX}`.execute(db)
  return rows
}

export async function getRevision(db: Db | Tx, postId: string, revision: string): Promise<RevisionState> {
  const { rows } = await sql<{ state: RevisionState }>`
    SELECT state FROM post_revision WHERE post_id = ${postId}::bigint AND revision = ${revision}::bigint`.execute(
    db,
  )
  if (rows[0] === undefined) throw notFound()
  return rows[0].state
}
