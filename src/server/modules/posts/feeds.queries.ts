import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

type SitemapRow = { id: string; updated_at: Date; category_ids: string[] }

/** The newest published posts, without their words. */
export async function listSitemapPosts(db: Db, limit: number): Promise<SitemapRow[]> {
  const { rows } = await sql<SitemapRow>`
    SELECT p.id, p.updated_at,
        ARRAY(SELECT pc.category_id::text FROM post_categories pc WHERE pc.post_id = p.id) AS category_ids
      FROM posts p WHERE p.is_published ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}`.execute(db)
  return rows
}

type FeedRow = { id: string; title: string; excerpt: string; created_at: Date; updated_at: Date }

export async function listFeedPosts(db: Db, limit: number): Promise<FeedRow[]> {
  return db
    .selectFrom('posts')
    .select(['id', 'title', 'excerpt', 'created_at', 'updated_at'])
    .where('is_published', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
