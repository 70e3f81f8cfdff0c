import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorAct } from '#contract/operator/act-guards.ts'
import type { OperatorPost, OperatorPostBody, operatorPosts } from '#contract/operator/posts.ts'
import { actAsOperator, type ActCall } from '#server/modules/audit/index.ts'
import { lockPictures, uploadsIn } from '#server/modules/pictures/index.ts'
import { assertTextLinks } from '#server/modules/settings/index.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { cleanLine, cleanText } from '#server/platform/html/clean-text.rules.ts'
import { makeSafe, shownHtml } from '#server/platform/html/safe-html.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListRows } from '#server/platform/http/list.ts'
import { changedMeanwhile, invalidField, type Refusal } from '#server/platform/values/errors.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'
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
  saveRevision,
  selectPictureUses,
  type StoredPost,
  updatePost,
} from './operator-posts.queries.ts'
import { excerptOf, isCover, isOutdated, publishMoment } from './posts.rules.ts'
import type { PostsDeps } from './posts.service.ts'

const PICTURE_USES_MAX = 5

/** Some of the posts that show a picture now, in somebody's draft or in a revision. */
export const listPictureUses = (tx: Tx, hash: string): Promise<{ id: string; title: string }[]> =>
  selectPictureUses(tx, hash, PICTURE_USES_MAX)

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
      // A post shows which categories it is in.
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
  const conditions = { ...filter, titlePart: q }
  const rows = await listStoredPosts(db, conditions, page)
  const described: OperatorPost[] = []
  // One after the other: each may take its time.
  for (const row of rows) described.push(await describe(row))
  return { total: () => countStoredPosts(db, conditions), rows: described }
}

export async function getOperatorPost(db: Db, id: string): Promise<OperatorPost> {
  return describe(await getStoredPost(db, id))
}

/** The trail can prove which text it was without holding it a second time. */
const auditedPost = (post: StoredPost) => ({
  title: post.title,
  excerpt: post.excerpt,
  content: { sha256: sha256Hex(post.content), length: post.content.length },
  cover: post.cover,
  new: post.new,
  pinned: post.pinned,
  published: post.published,
  publish_at: post.publish_at,
  category_ids: post.category_ids,
})

export const createPost = (deps: PostsDeps, call: UserCall<typeof operatorPosts.create>) =>
  changeContent(deps, call, {
    ...POST,
    action: 'posts.create',
    prepare: () => withSafeContent(call.body),
    async work(tx, safe) {
      const { body, identity } = call
      const values = valuesFrom(safe, null, deps.clock.now())
      await assertTextLinks(deps.publicUrl, tx, { content: values.content, before: '' })
      const categories = await existingCategories(tx, body.category_ids ?? [])
      const pictures = await lockPicturesOf(tx, values)
      const id = await insertPost(tx, { ...values, pictures })
      await replaceCategories(tx, id, categories)
      const after = await getStoredPost(tx, id)
      await saveRevision(tx, after, identity.userId)
      return { before: null, after }
    },
  })

export const changePost = (deps: PostsDeps, call: UserCall<typeof operatorPosts.update>) =>
  changeContent(deps, call, {
    ...POST,
    action: 'posts.update',
    prepare: () => withSafeContent(call.body),
    async work(tx, safe) {
      const { params, body, identity } = call
      const before = await lockPost(tx, params.id)
      await assertCurrent(before, body.updated_at)
      return savePost(deps, tx, { before, body: safe }, identity.userId)
    },
  })

/** Refuses a change that is based on an older state than the present one. */
export async function assertCurrent(post: StoredPost, basedOn: string | undefined): Promise<void> {
  if (isOutdated(basedOn, post)) throw changedMeanwhile(await describe(post))
}

/** `body` has content that is safe. */
type Saving = { before: StoredPost; body: OperatorPostBody }

/** Saves a locked post: it is shown from now on as it is now, its former state stays as a revision, the draft is done. */
export async function savePost(
  { clock, publicUrl }: PostsDeps,
  tx: Tx,
  { before, body }: Saving,
  operatorId: string,
): Promise<{ before: StoredPost; after: StoredPost }> {
  const { id } = before
  const values = valuesFrom(body, before, clock.now())
  await assertTextLinks(publicUrl, tx, { content: values.content, before: before.content })
  if (body.category_ids) await replaceCategories(tx, id, await existingCategories(tx, body.category_ids))
  const pictures = await lockPicturesOf(tx, values)
  await updatePost(tx, id, { ...values, pictures })
  const after = await getStoredPost(tx, id)
  await saveRevision(tx, before, null)
  await saveRevision(tx, after, operatorId)
  await deleteDraft(tx, { postId: id, userId: operatorId })
  return { before, after }
}

export const removePost = (deps: PostsDeps, call: UserCall<typeof operatorPosts.remove>) =>
  changeContent(deps, call, {
    ...POST,
    action: 'posts.delete',
    async work(tx) {
      const before = await lockPost(tx, call.params.id)
      await deletePost(tx, before.id)
      return { before, after: null }
    },
  })

async function existingCategories(tx: Tx, given: readonly string[]): Promise<string[]> {
  const ids = [...new Set(given)]
  const existing = await lockCategories(tx, ids)
  if (existing.length < ids.length) throw unknownCategory()
  return existing
}

export async function withSafeContent<Body extends { content: string }>(body: Body): Promise<Body> {
  return { ...body, content: await makeSafe(cleanText(body.content)) }
}

/**
 * What is stored for a body whose content is safe. A field left out or null leaves its value as it is, except for cover and excerpt,
 * where null is what a cleared field of a form sends (no cover, and an excerpt made of the text), and for publish_at.
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

/** Checks that the pictures of a post exist, and prevents their deletion until it is stored; answers their hashes. */
export async function lockPicturesOf(tx: Tx, { content, cover }: Shown): Promise<string[]> {
  const hashes = uploadsIn(content, cover)
  const missing = await lockPictures(tx, hashes)
  if (missing.length === 0) return hashes
  throw unknownPicture(uploadsIn(cover).some((hash) => missing.includes(hash)) ? 'cover' : 'content')
}
