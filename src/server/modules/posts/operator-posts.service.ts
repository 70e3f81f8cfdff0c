import { createHash } from 'node:crypto'
import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorAct } from '#contract/operator/act-guards.ts'
import type { OperatorPost, OperatorPostBody, operatorPosts } from '#contract/operator/posts.ts'
import { actAsOperator, type ActCall } from '#server/modules/audit/index.ts'
import { lockPictures, uploadsIn } from '#server/modules/pictures/index.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { cleanLine, cleanText } from '#server/platform/html/clean-text.rules.ts'
import { makeSafe, shownHtml } from '#server/platform/html/safe-html.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListRows } from '#server/platform/http/list.ts'
import { changedMeanwhile, invalidField, type Refusal } from '#server/platform/values/errors.ts'
import {
  countStoredPosts,
  deleteDraft,
  deletePost,
  getStoredPost,
  insertPost,
  listStoredPosts,
  lockCategories,
  lockPost,
  type PostPage,
  type PostValues,
  replaceCategories,
  type StoredPost,
  updatePost,
  saveRevision,
} from './operator-posts.queries.ts'
import { excerptOf, isCover, isOutdated, publishMoment } from './posts.rules.ts'
import type { PostsDeps } from './posts.service.ts'

export { listPictureUses } from './operator-posts.queries.ts'

export const emptyContent = (): Refusal => invalidField('content', 'Nội dung không được bỏ trống')

export const emptyTitle = (): Refusal => invalidField('title', 'Không được bỏ trống')

export const unknownCategory = (): Refusal => invalidField('category_ids', 'Chuyên mục không tồn tại')

export const unknownPicture = (field: 'content' | 'cover'): Refusal =>
  invalidField(field, 'Ảnh này không còn, hãy tải lên lại')

export const tooManyCategories = (max: number): Refusal =>
  invalidField('title', `Chỉ có thể có tối đa ${max} chuyên mục`)

/** What is changed, as the audit trail stores it and as the operator is answered. */
type Subject<Row, Answer> = {
  type: 'post' | 'category'
  audited(row: Row): unknown
  describe(row: Row): Answer | Promise<Answer>
}

/** `before` is null for a new row, `after` for a deleted one. */
type Change<Row> = { before: Row | null; after: Row | null; details?: Record<string, unknown> }

type Act<Row, Answer, Facts> = Subject<Row, Answer> & {
  action: OperatorAct
  /** What takes long, before the transaction. */
  prepare?: () => Promise<Facts>
  work(tx: Tx, facts: Facts): Promise<Change<NoInfer<Row>>>
}

/** An operator's change of what pages show; answers the row as it is now, or was when it is deleted. */
export async function changeContent<Row extends { id: string }, Answer, Facts = undefined>(
  deps: PostsDeps,
  call: ActCall,
  { action, type, audited, describe, prepare, work }: Act<Row, Answer, Facts>,
): Promise<Answer> {
  return actAsOperator<Answer, Facts>(deps, call, {
    action,
    ...(prepare && { prepare }),
    async work(tx, facts) {
      const { before, after, details } = await work(tx, facts)
      const row = (after ?? before) as Row
      if (type === 'category') await contentChanges(tx, 'categories')
      // A post says which categories it is in.
      await contentChanges(tx, 'posts')
      const states = { before: before && audited(before), after: after && audited(after) }
      return {
        answer: await describe(row),
        audit: { subject: { type, id: row.id }, details: { ...details, ...states } },
      }
    },
  })
}

type Given = NonNullable<QueryOf<typeof operatorPosts.list>['filter']>

export async function listOperatorPosts(
  db: Db,
  { q, ...filter }: Given,
  page: PostPage,
): Promise<ListRows<OperatorPost>> {
  const wanted = { ...filter, titlePart: q === undefined ? undefined : cleanLine(q) }
  const rows = await listStoredPosts(db, wanted, page)
  const described: OperatorPost[] = []
  // One after the other: each may take its time.
  for (const row of rows) described.push(await describe(row))
  return { total: () => countStoredPosts(db, wanted), rows: described }
}

export async function getOperatorPost(db: Db, id: string): Promise<OperatorPost> {
  return describe(await getStoredPost(db, id))
}

/** The trail can prove which text it was without holding it a second time. */
const auditedPost = (post: StoredPost) => ({
  title: post.title,
  excerpt: post.excerpt,
  content: { sha256: createHash('sha256').update(post.content).digest('hex'), length: post.content.length },
  cover: post.cover,
  new: post.new,
  pinned: post.pinned,
  published: post.published,
  publish_at: post.publish_at,
  category_ids: post.category_ids,
})

export async function createPost(
  deps: PostsDeps,
  call: UserCall<typeof operatorPosts.create>,
): Promise<OperatorPost> {
  const { body, identity } = call
  return changeContent(deps, call, {
    ...POST,
    action: 'posts.create',
    prepare: () => withSafeContent(body),
    async work(tx, safe) {
      const values = valuesFrom(safe, null, deps.clock.now())
      const categories = await existingCategories(tx, body.category_ids ?? [])
      const pictures = await keepPictures(tx, values)
      const id = await insertPost(tx, { ...values, pictures })
      await replaceCategories(tx, id, categories)
      const after = await getStoredPost(tx, id)
      await saveRevision(tx, after, identity.userId)
      return { before: null, after }
    },
  })
}

export async function changePost(
  deps: PostsDeps,
  call: UserCall<typeof operatorPosts.update>,
): Promise<OperatorPost> {
  const { params, body, identity } = call
  return changeContent(deps, call, {
    ...POST,
    action: 'posts.update',
    prepare: () => withSafeContent(body),
    async work(tx, safe) {
      const before = await lockPost(tx, params.id)
      await assertSeen(before, body.updated_at)
      return savePost(tx, { before, body: safe, now: deps.clock.now() }, identity.userId)
    },
  })
}

/** Refuses a change that is based on an older state than the present one. */
export async function assertSeen(post: StoredPost, seen: string | undefined): Promise<void> {
  if (isOutdated(seen, post)) throw changedMeanwhile(await describe(post))
}

/** `body` has content that is safe. */
type Saving = { before: StoredPost; body: OperatorPostBody; now: Date }

/** Saves a locked post: it is shown from now on as it is now, its former state stays as a revision, the draft is done. */
export async function savePost(
  tx: Tx,
  { before, body, now }: Saving,
  operatorId: string,
): Promise<{ before: StoredPost; after: StoredPost }> {
  const { id } = before
  const values = valuesFrom(body, before, now)
  if (body.category_ids) await replaceCategories(tx, id, await existingCategories(tx, body.category_ids))
  const pictures = await keepPictures(tx, values)
  await updatePost(tx, id, { ...values, pictures })
  const after = await getStoredPost(tx, id)
  await saveRevision(tx, before, null)
  await saveRevision(tx, after, operatorId)
  await deleteDraft(tx, { postId: id, userId: operatorId })
  return { before, after }
}

export async function removePost(
  deps: PostsDeps,
  call: UserCall<typeof operatorPosts.remove>,
): Promise<OperatorPost> {
  return changeContent(deps, call, {
    ...POST,
    action: 'posts.delete',
    async work(tx) {
      const before = await lockPost(tx, call.params.id)
      await deletePost(tx, before.id)
      return { before, after: null }
    },
  })
}

async function existingCategories(tx: Tx, wanted: readonly string[]): Promise<string[]> {
  const ids = [...new Set(wanted)]
  const existing = await lockCategories(tx, ids)
  if (existing.length < ids.length) throw unknownCategory()
  return existing
}

export async function withSafeContent<Body extends { content: string }>(body: Body): Promise<Body> {
  return { ...body, content: await makeSafe(cleanText(body.content)) }
}

/**
 * What is stored for a body whose content is safe. A field left out keeps its value; null does too, except for cover and excerpt, where null
 * is what a cleared field of a form sends (no cover, and an excerpt made of the text), and for publish_at.
 */
export function valuesFrom(body: OperatorPostBody, before: StoredPost | null, now: Date): PostValues {
  const title = cleanLine(body.title)
  if (title === '') throw emptyTitle()
  const { content } = body
  if (content.trim() === '') throw emptyContent()
  const cover = body.cover === undefined ? (before?.cover ?? null) : body.cover
  return {
    title,
    content,
    excerpt: excerptFrom(body.excerpt, content, before),
    cover,
    publish_at: publishMoment(body.publish_at, before, now),
    is_new: body.new ?? before?.new ?? true,
    is_pinned: body.pinned ?? before?.pinned ?? false,
    is_published: body.published ?? before?.published ?? true,
  }
}

function excerptFrom(given: string | null | undefined, content: string, before: StoredPost | null): string {
  const own = given === undefined ? before?.excerpt : cleanLine(given ?? '')
  // A description made from the old text is made from the new one.
  const wasMade = before !== null && own === excerptOf(before.content)
  return own === undefined || own === '' || wasMade ? excerptOf(content) : own
}

const describe = async (post: StoredPost): Promise<OperatorPost> => ({
  ...post,
  content: await shownHtml(post.content),
  cover: isCover(post.cover) ? post.cover : null,
  views: Number(post.views),
  publish_at: post.publish_at.toISOString(),
  created_at: post.created_at.toISOString(),
  updated_at: post.updated_at.toISOString(),
})

export const POST = { type: 'post', audited: auditedPost, describe } as const

type Shown = { content: string; cover: string | null }

/** Makes sure that the pictures a post is about to show are there, and stay until that is stored; answers their hashes. */
export async function keepPictures(tx: Tx, { content, cover }: Shown): Promise<string[]> {
  const hashes = uploadsIn(content, cover)
  const there = await lockPictures(tx, hashes)
  const missing = hashes.filter((hash) => !there.includes(hash))
  if (missing.length === 0) return hashes
  throw unknownPicture(uploadsIn(cover).some((hash) => missing.includes(hash)) ? 'cover' : 'content')
}
