import { sql, type RawBuilder } from 'kysely'
import type { PostSummary } from '#contract/posts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { FeedPost, SitemapPost } from './feeds.rules.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'

export type SummaryRow = Omit<PostSummary, 'cover' | 'views' | 'created_at'> & {
  cover: string | null
  views: string
  created_at: Date
}

type PostRow = SummaryRow & { content: string; updated_at: Date }

type Position = { isPinned: boolean; publishAt: string; id: string; isIncluded: boolean }

/** Whether players see a post: published, and its moment has come. */
export const isShown = sql<boolean>`is_published AND publish_at <= now()`

/** One post's categories, by the primary key of post_categories. */
export const categoryIds = sql`ARRAY(
  SELECT pc.category_id::text FROM post_categories pc WHERE pc.post_id = p.id ORDER BY pc.category_id)`

const summary = sql`p.id, p.title, p.excerpt, p.cover, p.is_new AS new, p.is_pinned, p.views,
  p.publish_at AS created_at, ${categoryIds} AS category_ids`

/**
 * The reader's position: the row of `before`. When that post is gone, the newest one of a lower id and itself: ids
 * and dates mostly grow together, so reading goes on near there without starting again. The moment stays text, since a Date
 * would cut the microseconds off and so repeat or skip rows.
 */
export async function findPosition(db: Db, before: string): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    (SELECT id, is_pinned AS "isPinned", publish_at::text AS "publishAt", false AS "isIncluded"
       FROM posts WHERE id = ${before}::bigint)
    UNION ALL
    (SELECT id, is_pinned, publish_at::text, true FROM posts
      WHERE id < ${before}::bigint AND ${isShown} AND NOT is_pinned ORDER BY id DESC LIMIT 1)
    LIMIT 1`.execute(db)
  return rows[0]
}

type PostSelection = { category?: string | undefined; after?: Position | undefined; limit: number }

const inCategory = (category: string | undefined): RawBuilder<unknown> =>
  category === undefined
    ? sql``
    : sql`AND EXISTS (
        SELECT FROM post_categories c WHERE c.post_id = p.id AND c.category_id = ${category}::bigint)`

const below = ({ publishAt, id, isIncluded }: Position): RawBuilder<unknown> =>
  sql`AND (p.publish_at, p.id) ${sql.raw(isIncluded ? '<=' : '<')} (${publishAt}::timestamptz, ${id}::bigint)`

/**
 * The shown posts in the one order they are shown in: pinned ones first, each group the newest first. Two index scans
 * that stop at `limit`, since a sort by is_pinned would read every post. (Of a category that holds a small part of ten
 * thousand posts, PostgreSQL may rather sort that part: a few milliseconds, less than a copy of the dates would cost.)
 */
export async function listPostRows(db: Db, { category, after, limit }: PostSelection): Promise<SummaryRow[]> {
  const some = (isPinned: boolean, position: RawBuilder<unknown>) => sql`
    (SELECT ${summary} FROM posts p
      WHERE ${isShown} AND ${sql.raw(isPinned ? '' : 'NOT')} p.is_pinned ${position} ${inCategory(category)}
      ORDER BY p.publish_at DESC, p.id DESC LIMIT ${limit})`
  const isPastPinned = after !== undefined && !after.isPinned
  const pinned = isPastPinned ? null : some(true, after === undefined ? sql`` : below(after))
  const others = some(false, isPastPinned ? below(after) : sql``)
  const both = pinned === null ? others : sql`${pinned} UNION ALL ${others}`
  const { rows } = await sql<SummaryRow>`
    SELECT shown.id, title, excerpt, cover, shown.new, is_pinned, views, created_at, category_ids
      FROM (${both}) AS shown ORDER BY is_pinned DESC, created_at DESC, id DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** The shown posts that hold all the words, the newest first. `words` is a text search query of letters and digits. */
export async function searchPostRows(db: Db, words: string, limit: number): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    SELECT ${summary} FROM posts p
      WHERE ${isShown} AND p.words @@ to_tsquery('simple', ${words})
      ORDER BY p.publish_at DESC, p.id DESC LIMIT ${limit}`.execute(db)
  return rows
}

export async function listShownIds(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM posts WHERE ${isShown} LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** In how many milliseconds the next scheduled post appears; null when none is scheduled. By the database's clock. */
export async function timeToNextPost(db: Db): Promise<number | null> {
  const { rows } = await sql<{ wait: number | null }>`
    SELECT (extract(epoch FROM min(publish_at) - now()) * 1000)::float8 AS wait
      FROM posts WHERE is_published AND publish_at > now()`.execute(db)
  return rows[0]?.wait ?? null
}

export async function findPublishedPost(db: Db, id: string): Promise<PostRow | undefined> {
  const { rows } = await sql<PostRow>`
    SELECT ${summary}, p.content, p.updated_at FROM posts p WHERE p.id = ${id}::bigint AND ${isShown}`.execute(
    db,
  )
  return rows[0]
}

export type CategoryRow = {
  id: string
  title: string
  description: string
  position: number
  updated_at: Date
}

export const CATEGORY_COLUMNS = ['id', 'title', 'description', 'position', 'updated_at'] as const

export async function listCategoryRows(db: Db, limit: number): Promise<CategoryRow[]> {
  return db
    .selectFrom('categories')
    .select(CATEGORY_COLUMNS)
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findCategory(db: Db, id: string): Promise<CategoryRow | undefined> {
  return db.selectFrom('categories').select(CATEGORY_COLUMNS).where('id', '=', id).executeTakeFirst()
}

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

/** `visitor` in hexadecimal. */
export type View = { postId: string; day: string; visitor: string }

/**
 * Writes who viewed which post, and counts those who had not viewed it on that day yet. Posts that are gone or
 * hidden are passed over. Rows are locked in id order, so that two processes that write together do not deadlock.
 */
export async function insertViews(tx: Tx, views: readonly View[]): Promise<void> {
  await sql`
    WITH viewed AS (
      SELECT * FROM unnest(${views.map((view) => view.postId)}::bigint[], ${views.map((view) => view.day)}::date[],
        ${views.map((view) => view.visitor)}::text[]) AS v (post_id, day, visitor)
    ), present AS (
      SELECT id FROM posts WHERE id IN (SELECT post_id FROM viewed) AND is_published ORDER BY id FOR NO KEY UPDATE
    ), fresh AS (
      INSERT INTO post_view (post_id, day, visitor)
        SELECT viewed.post_id, viewed.day, decode(viewed.visitor, 'hex') FROM viewed JOIN present ON present.id = viewed.post_id
        ON CONFLICT DO NOTHING RETURNING post_id
    )
    UPDATE posts SET views = views + counted.count
      FROM (SELECT post_id, count(*) AS count FROM fresh GROUP BY post_id) AS counted
     WHERE posts.id = counted.post_id`.execute(tx)
}

const PURGE_ROWS = 5_000

/** Removes one batch of the visitors of the days before `day`; true when there may be more. */
export const removeViewsBefore = (deps: { db: Db; log: Log }, day: string): Promise<boolean> =>
  sweep(deps, {
    job: 'posts.purge',
    table: 'post_view',
    isDue: sql`due.day < ${day}::date`,
    limit: PURGE_ROWS,
  })
