import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { FeedPost, SitemapPost } from './feeds.rules.ts'

/** The newest published posts, without their words. */
export async function listSitemapPosts(db: Db, limit: number): Promise<SitemapPost[]> {
  const { rows } = await sql<SitemapPost>`
    SELECT p.id, p.updated_at AS "updatedAt",
        ARRAY(SELECT pc.category_id::text FROM post_categories pc WHERE pc.post_id = p.id) AS "categoryIds"
      FROM posts p WHERE p.is_published ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}`.execute(db)
  return rows
}

export async function listFeedPosts(db: Db, limit: number): Promise<FeedPost[]> {
  return db
    .selectFrom('posts')
    .select(['id', 'title', 'excerpt', 'created_at as createdAt', 'updated_at as updatedAt'])
    .where('is_published', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
