import { createHash } from 'node:crypto'
import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorPost, OperatorPostBody, operatorPosts } from '#contract/operator/posts.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { safeHtml } from '#server/platform/html/safe-html.rules.ts'
import type { ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import {
  countStoredPosts,
  deletePost,
  findStoredPost,
  insertPost,
  listStoredPosts,
  lockCategories,
  lockPost,
  notifyContentChanged,
  replaceCategories,
  updatePost,
  type PostPage,
  type PostValues,
  type StoredPost,
} from './operator-posts.queries.ts'
import { emptyContent, emptyTitle, unknownCategory } from './posts.errors.ts'
import { cleanLine, cleanText, excerptOf, isCover } from './posts.rules.ts'
import type { PostsDeps } from './posts.service.ts'

type Given = NonNullable<QueryOf<typeof operatorPosts.list>['filter']>

export type Operator = { operatorId: string; requestId: string }

export async function listOperatorPosts(
  db: Db,
  { q, ...filter }: Given,
  page: PostPage,
): Promise<ListRows<OperatorPost>> {
  const wanted = { ...filter, titlePart: q === undefined ? undefined : cleanLine(q) }
  const rows = await listStoredPosts(db, wanted, page)
  return { total: await countStoredPosts(db, wanted), rows: rows.map(describe) }
}

export async function getOperatorPost(db: Db, id: string): Promise<OperatorPost> {
  const post = await findStoredPost(db, id)
  if (post === undefined) throw notFound()
  return describe(post)
}

export async function createPost(
  deps: PostsDeps,
  body: OperatorPostBody,
  operator: Operator,
): Promise<OperatorPost> {
  const values = valuesFrom(body, null)
  const created = await inTransaction(deps.db, async (tx) => {
    const categories = await existingCategories(tx, body.category_ids ?? [])
    const id = await insertPost(tx, values)
    await replaceCategories(tx, id, categories)
    const after = (await findStoredPost(tx, id)) as StoredPost
    await record(tx, operator, { action: 'posts.create', id, before: null, after })
    return after
  })
  deps.onContentChanged()
  return describe(created)
}

export async function changePost(
  deps: PostsDeps,
  change: { id: string; body: OperatorPostBody },
  operator: Operator,
): Promise<OperatorPost> {
  const { id, body } = change
  const changed = await inTransaction(deps.db, async (tx) => {
    const before = await lockPost(tx, id)
    if (before === undefined) throw notFound()
    if (body.category_ids) await replaceCategories(tx, id, await existingCategories(tx, body.category_ids))
    await updatePost(tx, id, valuesFrom(body, before))
    const after = (await findStoredPost(tx, id)) as StoredPost
    await record(tx, operator, { action: 'posts.update', id, before, after })
    return after
  })
  deps.onContentChanged()
  return describe(changed)
}

export async function removePost(deps: PostsDeps, id: string, operator: Operator): Promise<OperatorPost> {
  const removed = await inTransaction(deps.db, async (tx) => {
    const before = await lockPost(tx, id)
    if (before === undefined) throw notFound()
    await deletePost(tx, id)
    await record(tx, operator, { action: 'posts.delete', id, before, after: null })
    return before
  })
  deps.onContentChanged()
  return describe(removed)
}

async function existingCategories(tx: Tx, wanted: readonly string[]): Promise<string[]> {
  const ids = [...new Set(wanted)]
  const existing = await lockCategories(tx, ids)
  if (existing.length < ids.length) throw unknownCategory()
  return existing
}

/**
 * What is stored for a body. A field left out keeps its value; null does too, except for cover and excerpt, where null
 * is what a cleared field of a form sends: no cover, and an excerpt made of the text.
 */
export function valuesFrom(body: OperatorPostBody, before: StoredPost | null): PostValues {
  const title = cleanLine(body.title)
  if (title === '') throw emptyTitle()
  const content = safeHtml(cleanText(body.content))
  if (content.trim() === '') throw emptyContent()
  return {
    title,
    content,
    excerpt: excerptFrom(body.excerpt, content, before),
    cover: body.cover === undefined ? (before?.cover ?? null) : body.cover,
    is_new: body.new ?? before?.is_new ?? true,
    is_pinned: body.pinned ?? before?.is_pinned ?? false,
    is_published: body.published ?? before?.is_published ?? true,
  }
}

function excerptFrom(given: string | null | undefined, content: string, before: StoredPost | null): string {
  const own = given === undefined ? before?.excerpt : cleanLine(given ?? '')
  // A description made from the old text is made from the new one.
  const wasMade = before !== null && own === excerptOf(before.content)
  return own === undefined || own === '' || wasMade ? excerptOf(content) : own
}

function describe(post: StoredPost): OperatorPost {
  return {
    id: post.id,
    title: post.title,
    content: safeHtml(post.content),
    excerpt: post.excerpt,
    cover: isCover(post.cover) ? post.cover : null,
    new: post.is_new,
    pinned: post.is_pinned,
    published: post.is_published,
    category_ids: post.category_ids,
    views: Number(post.views),
    created_at: post.created_at.toISOString(),
    updated_at: post.updated_at.toISOString(),
  }
}

type Act = { action: string; id: string; before: StoredPost | null; after: StoredPost | null }

/** The last statements of every act: who did what, and the word to all processes that pages changed. */
async function record(tx: Tx, operator: Operator, { action, id, before, after }: Act): Promise<void> {
  await notifyContentChanged(tx)
  await appendAudit(tx, {
    actor: { kind: 'operator', id: operator.operatorId },
    action,
    subject: { type: 'post', id },
    details: { before: before && auditedValues(before), after: after && auditedValues(after) },
    requestId: operator.requestId,
  })
}

/** The trail can prove which text it was without holding it a second time. */
function auditedValues(post: StoredPost): Record<string, unknown> {
  return {
    title: post.title,
    excerpt: post.excerpt,
    content: { sha256: createHash('sha256').update(post.content).digest('hex'), length: post.content.length },
    cover: post.cover,
    new: post.is_new,
    pinned: post.is_pinned,
    published: post.is_published,
    category_ids: post.category_ids,
  }
}
