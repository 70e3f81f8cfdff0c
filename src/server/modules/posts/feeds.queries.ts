import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isShown } from './posts.queries.ts'
import type { FeedPost, SitemapPost } from './feeds.rules.ts'

/** The newest shown posts, without their words. */
export async function listSitemapPosts(db: Db, limit: number): Promise<SitemapPost[]> {
  const { rows } = await sql<SitemapPost>`
    SELECT p.id, greatest(p.updated_at, p.publish_at) AS "updatedAt",
        ARRAY(SELECT pc.category_id::text FROM post_categories pc WHERE pc.post_id = p.id) AS "categoryIds"
      FROM posts p WHERE ${isShown} ORDER BY p.publish_at DESC, p.id DESC LIMIT ${limit}`.execute(db)
  return rows
}

export async function listFeedPosts(db: Db, limit: number): Promise<FeedPost[]> {
  const { rows } = await sql<FeedPost>`
    SELECT id, title, excerpt, publish_at AS "createdAt", greatest(updated_at, publish_at) AS "updatedAt"
      FROM posts WHERE ${isShown} ORDER BY publish_at DESC, id DESC LIMIT ${limit}`.execute(db)
  return rows
}
