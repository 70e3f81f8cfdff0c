import { createHash } from 'node:crypto'
import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorPost, OperatorPostBody, operatorPosts } from '#contract/operator/posts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { safeHtml } from '#server/platform/html/safe-html.rules.ts'
import type { ListRows } from '#server/platform/http/list.ts'
import { changeContent, type Operator } from './content-changes.service.ts'
import {
  countStoredPosts,
  deletePost,
  getStoredPost,
  insertPost,
  listStoredPosts,
  lockCategories,
  lockPost,
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
  return describe(await getStoredPost(db, id))
}

/** The trail can prove which text it was without holding it a second time. */
const POST = {
  type: 'post',
  audited: (post: StoredPost) => ({
    title: post.title,
    excerpt: post.excerpt,
    content: { sha256: createHash('sha256').update(post.content).digest('hex'), length: post.content.length },
    cover: post.cover,
    new: post.new,
    pinned: post.pinned,
    published: post.published,
    category_ids: post.category_ids,
  }),
} as const

export async function createPost(
  deps: PostsDeps,
  body: OperatorPostBody,
  operator: Operator,
): Promise<OperatorPost> {
  const values = valuesFrom(body, null)
  const created = await changeContent(deps, operator, POST, async (tx) => {
    const categories = await existingCategories(tx, body.category_ids ?? [])
    const id = await insertPost(tx, values)
    await replaceCategories(tx, id, categories)
    return { action: 'posts.create', before: null, after: await getStoredPost(tx, id) }
  })
  return describe(created)
}

export async function changePost(
  deps: PostsDeps,
  { id, body }: { id: string; body: OperatorPostBody },
  operator: Operator,
): Promise<OperatorPost> {
  const changed = await changeContent(deps, operator, POST, async (tx) => {
    const before = await lockPost(tx, id)
    if (body.category_ids) await replaceCategories(tx, id, await existingCategories(tx, body.category_ids))
    await updatePost(tx, id, valuesFrom(body, before))
    return { action: 'posts.update', before, after: await getStoredPost(tx, id) }
  })
  return describe(changed)
}

export async function removePost(deps: PostsDeps, id: string, operator: Operator): Promise<OperatorPost> {
  const removed = await changeContent(deps, operator, POST, async (tx) => {
    const before = await lockPost(tx, id)
    await deletePost(tx, id)
    return { action: 'posts.delete', before, after: null }
  })
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

const describe = (post: StoredPost): OperatorPost => ({
  ...post,
  content: safeHtml(post.content),
  cover: isCover(post.cover) ? post.cover : null,
  views: Number(post.views),
  created_at: post.created_at.toISOString(),
  updated_at: post.updated_at.toISOString(),
})
