import { type RawBuilder, sql } from 'kysely'
import type { OperatorPost, OperatorPostDraft } from '#contract/operator/posts.ts'
import { uploadsIn } from '#server/modules/pictures/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { CATEGORY_COLUMNS, categoryIds, type CategoryRow, isShown } from './posts.queries.ts'
import { patternsOfWords } from '#contract/search-form.ts'

/** What an operator decides about a post. */
export type PostValues = {
  /** Null: now. */
  publish_at: Date | null

  title: string
  excerpt: string
  content: string
  cover: string | null
  is_new: boolean
  is_pinned: boolean
  is_published: boolean
}

export type StoredPost = Omit<OperatorPost, 'views' | 'created_at' | 'updated_at' | 'publish_at'> & {
  views: string
  publish_at: Date
  created_at: Date
  updated_at: Date
}

const stored = sql`p.id, p.title, p.excerpt, p.content, p.cover, p.is_new AS new, p.is_pinned AS pinned,
  p.is_published AS published, p.publish_at, p.views, p.created_at, p.updated_at, ${categoryIds} AS category_ids`

const POST_SORTS = {
  id: 'id',
  title: 'title',
  created_at: 'created_at',
  updated_at: 'updated_at',
  publish_at: 'publish_at',
  views: 'views',
  new: 'is_new',
  pinned: 'is_pinned',
  published: 'is_published',
} as const

type PostFilter = {
  id?: string[] | undefined
  titlePart?: string | undefined
  category_id?: string | undefined
  published?: boolean | undefined
  scheduled?: boolean | undefined
}

export type PostPage = ListPage & { sort: keyof typeof POST_SORTS }

function matching({ id, titlePart, category_id, published, scheduled }: PostFilter): RawBuilder<boolean> {
  return allOf([
    id === undefined ? null : sql`id = ANY (${id}::bigint[])`,
    titlePart === undefined ? null : sql`search_form(title) LIKE ALL (${patternsOfWords(titlePart)}::text[])`,
    category_id === undefined
      ? null
      : sql`EXISTS (SELECT FROM post_categories pc WHERE pc.post_id = id AND pc.category_id = ${category_id}::bigint)`,
    published === undefined ? null : sql`is_published = ${published}`,
    scheduled === undefined ? null : sql`(is_published AND NOT (${isShown})) = ${scheduled}`,
  ])
}

/**
 * Drafts included. This reads the title of every post, on purpose: there are thousands of them at most, their words lie
 * apart (TOAST), and a handful of editors search. An index for each column to sort or search by would cost more than it saves.
 */
export async function listStoredPosts(
  db: Db,
  filter: PostFilter,
  { sort, order, from, to }: PostPage,
): Promise<StoredPost[]> {
  const column = sql.ref(POST_SORTS[sort])
  const direction = sql.raw(order)
  const { rows } = await sql<StoredPost>`
    WITH page AS (
      SELECT id, row_number() OVER (ORDER BY ${column} ${direction}, id ${direction}) AS line
        FROM posts WHERE ${matching(filter)}
       ORDER BY ${column} ${direction}, id ${direction} OFFSET ${from} LIMIT ${to - from + 1})
    SELECT ${stored} FROM page JOIN posts p ON p.id = page.id ORDER BY page.line`.execute(db)
  return rows
}

export async function countStoredPosts(db: Db, filter: PostFilter): Promise<number> {
  return countWithinReach(db, db.selectFrom('posts').where(matching(filter)))
}

export async function getStoredPost(db: Db | Tx, id: string): Promise<StoredPost> {
  const { rows } = await sql<StoredPost>`SELECT ${stored} FROM posts p WHERE p.id = ${id}::bigint`.execute(db)
  if (rows[0] === undefined) throw notFound()
  return rows[0]
}

/** Locks a post against a second editor before it is read. */
export async function lockPost(tx: Tx, id: string): Promise<StoredPost> {
  await tx.selectFrom('posts').select('id').where('id', '=', id).forUpdate().execute()
  return getStoredPost(tx, id)
}

/** With the hashes of the uploaded pictures that it shows. */
type NewState = PostValues & { pictures: string[] }

const stateOf = ({ publish_at, ...values }: NewState) => ({
  ...values,
  publish_at: publish_at ?? sql<Date>`now()`,
})

/** Answers the new post's id. `createdAt` only for posts that were published before this installation was. */
export async function insertPost(tx: Tx, values: NewState & { createdAt?: Date }): Promise<string> {
  const { createdAt, ...post } = values
  const row = await tx
    .insertInto('posts')
    .values({
      ...stateOf(post),
      ...(createdAt === undefined ? {} : { created_at: createdAt, updated_at: createdAt }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function updatePost(tx: Tx, id: string, values: NewState): Promise<void> {
  await tx
    .updateTable('posts')
    .set({ ...stateOf(values), updated_at: nextVersion })
    .where('id', '=', id)
    .execute()
}

export async function deletePost(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('posts').where('id', '=', id).execute()
}

/** A row's next `updated_at`, never one it had before. */
const nextVersion = sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`

/** Prevents the categories that a post is about to be put into from being deleted; answers those that exist. */
export async function lockCategories(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('categories')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map((row) => row.id)
}

export async function replaceCategories(tx: Tx, postId: string, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('post_categories').where('post_id', '=', postId).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('post_categories')
    .values(ids.map((categoryId) => ({ post_id: postId, category_id: categoryId })))
    .execute()
}

type DraftState = Omit<OperatorPostDraft, 'based_on' | 'saved_at'>

export type DraftRow = { state: DraftState; based_on: Date; saved_at: Date }

export type DraftKey = { postId: string; userId: string }

export async function findDraft(db: Db, { postId, userId }: DraftKey): Promise<DraftRow | undefined> {
  const { rows } = await sql<DraftRow>`
    SELECT state, based_on, saved_at FROM post_draft
     WHERE post_id = ${postId}::bigint AND user_id = ${userId}::bigint`.execute(db)
  return rows[0]
}

type NewDraft = { state: DraftState; pictures: string[]; basedOn: Date }

/** The lock on the post must be held already. */
export async function putDraft(tx: Tx, { postId, userId }: DraftKey, draft: NewDraft): Promise<DraftRow> {
  const { rows } = await sql<DraftRow>`
    INSERT INTO post_draft (post_id, user_id, state, pictures, based_on)
      VALUES (${postId}, ${userId}, ${JSON.stringify(draft.state)}::jsonb, ${draft.pictures}, ${draft.basedOn})
      ON CONFLICT (post_id, user_id) DO UPDATE SET state = excluded.state, pictures = excluded.pictures,
        based_on = excluded.based_on, saved_at = excluded.saved_at
      RETURNING state, based_on, saved_at`.execute(tx)
  return rows[0] as DraftRow
}

export async function deleteDraft(tx: Tx, { postId, userId }: DraftKey): Promise<void> {
  await tx.deleteFrom('post_draft').where('post_id', '=', postId).where('user_id', '=', userId).execute()
}

export async function selectPictureUses(
  tx: Tx,
  hash: string,
  limit: number,
): Promise<{ id: string; title: string }[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    SELECT p.id, p.title FROM posts p WHERE p.id IN (
        SELECT id FROM posts WHERE pictures @> ARRAY[${hash}]
        UNION SELECT post_id FROM post_draft WHERE pictures @> ARRAY[${hash}]
        UNION SELECT post_id FROM post_revision WHERE pictures @> ARRAY[${hash}])
      ORDER BY p.id DESC LIMIT ${limit}`.execute(tx)
  return rows
}

export type CategoryValues = Omit<CategoryRow, 'id' | 'updated_at'>

/** Locks a category before it is changed. */
export async function lockCategory(tx: Tx, id: string): Promise<CategoryRow> {
  return tx
    .selectFrom('categories')
    .select(CATEGORY_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

/** How many there are, and the place behind the last one. */
export async function summariseCategories(db: Db | Tx): Promise<{ count: number; nextPosition: number }> {
  const row = await db
    .selectFrom('categories')
    .select([sql<string>`count(*)`.as('count'), sql<number>`coalesce(max(position) + 1, 0)`.as('next')])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), nextPosition: row.next }
}

export async function insertCategory(tx: Tx, values: CategoryValues): Promise<CategoryRow> {
  return tx.insertInto('categories').values(values).returning(CATEGORY_COLUMNS).executeTakeFirstOrThrow()
}

export async function updateCategory(tx: Tx, id: string, values: CategoryValues): Promise<CategoryRow> {
  return tx
    .updateTable('categories')
    .set({ ...values, updated_at: nextVersion })
    .where('id', '=', id)
    .returning(CATEGORY_COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Its posts stay; only their place in it goes. */
export async function deleteCategory(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('categories').where('id', '=', id).execute()
}

const REVISIONS_MAX = 100

/** What a post was, as its revision holds it. Moments are texts. */
type RevisionState = Pick<
  StoredPost,
  'title' | 'excerpt' | 'content' | 'cover' | 'new' | 'pinned' | 'published' | 'category_ids'
> & { publish_at: string }

function revisionStateOf(post: StoredPost): RevisionState {
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
 * Stores a state of a post, whose row is locked, unless it is stored already. `savedBy` is null for a state from before
 * revisions were stored. The oldest of more than a hundred is deleted.
 */
export async function saveRevision(tx: Tx, post: StoredPost, savedBy: string | null): Promise<void> {
  const { rows } = await sql<{ revision: number }>`
    INSERT INTO post_revision (post_id, revision, state, pictures, saved_by, saved_at)
      SELECT p.id, coalesce((SELECT max(revision) FROM post_revision WHERE post_id = p.id), 0) + 1,
          ${JSON.stringify(revisionStateOf(post))}::jsonb, ${uploadsIn(post.content, post.cover)}, ${savedBy}::bigint, ${post.updated_at}
        FROM posts p WHERE p.id = ${post.id}::bigint
          AND (${savedBy}::bigint IS NOT NULL OR NOT EXISTS (SELECT FROM post_revision WHERE post_id = p.id))
      RETURNING revision`.execute(tx)
  const newest = rows[0]?.revision
  if (newest === undefined) return
  await tx
    .deleteFrom('post_revision')
    .where('post_id', '=', post.id)
    .where('revision', '<=', newest - REVISIONS_MAX)
    .execute()
}

type RevisionRow = {
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
     WHERE r.post_id = ${postId}::bigint ORDER BY r.revision DESC LIMIT ${REVISIONS_MAX}`.execute(db)
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
