import type {
  OperatorPostDraft,
  OperatorPostDraftBody,
  OperatorPostRevision,
  operatorPosts,
} from '#contract/operator/posts.ts'
import type { Post } from '#contract/posts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { cleanText } from '#server/platform/html/clean-text.rules.ts'
import { makeSafe, shownHtml } from '#server/platform/html/safe-html.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import {
  deleteDraft,
  type DraftKey,
  type DraftRow,
  findDraft,
  getStoredPost,
  lockPost,
  putDraft,
  lockCategories,
  getRevision,
  listRevisionRows,
} from './operator-posts.queries.ts'
import { assertCurrent, lockPicturesOf, changeContent, POST, savePost } from './operator-posts.service.ts'
import { excerptOf, isCover } from './posts.rules.ts'
import type { PostsDeps } from './posts.service.ts'

export async function getDraft(db: Db, key: DraftKey): Promise<{ draft: OperatorPostDraft | null }> {
  await getStoredPost(db, key.postId)
  const row = await findDraft(db, key)
  return { draft: row === undefined ? null : describe(row) }
}

/** Stores what an editor has written so far. Nobody else sees it, so it is not in the audit trail. */
export async function saveDraft(
  deps: PlatformDeps,
  key: DraftKey,
  body: OperatorPostDraftBody,
): Promise<OperatorPostDraft> {
  const content = await makeSafe(cleanText(body.content))
  const cover = body.cover ?? null
  return inTransaction(deps.db, async (tx) => {
    const post = await lockPost(tx, key.postId)
    await assertCurrent(post, body.updated_at)
    const pictures = await lockPicturesOf(tx, { content, cover })
    const state = {
      title: cleanText(body.title),
      content,
      excerpt: typeof body.excerpt === 'string' ? cleanText(body.excerpt) : null,
      cover,
      new: body.new ?? post.new,
      pinned: body.pinned ?? post.pinned,
      category_ids: body.category_ids ?? post.category_ids,
      publish_at: body.publish_at ?? null,
    }
    return describe(await putDraft(tx, key, { state, pictures, basedOn: post.updated_at }))
  })
}

export async function dropDraft(deps: PlatformDeps, key: DraftKey): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await lockPost(tx, key.postId)
    await deleteDraft(tx, key)
  })
}

const describe = ({ state, based_on, saved_at }: DraftRow): OperatorPostDraft => ({
  ...state,
  based_on: based_on.toISOString(),
  saved_at: saved_at.toISOString(),
})

export async function listRevisions(db: Db, postId: string): Promise<OperatorPostRevision[]> {
  await getStoredPost(db, postId)
  const rows = await listRevisionRows(db, postId)
  return rows.map((row) => ({ ...row, saved_at: row.saved_at.toISOString() }))
}

/** Text, pictures and categories become what they were; whether and when the post is shown does not change with it. */
export const restoreRevision = (deps: PostsDeps, call: UserCall<typeof operatorPosts.restore>) =>
  changeContent(deps, call, {
    ...POST,
    action: 'posts.restore',
    async work(tx) {
      const { id, revision } = call.params
      const before = await lockPost(tx, id)
      await assertCurrent(before, call.body.updated_at)
      const { published: _, publish_at: __, ...state } = await getRevision(tx, id, revision)
      const body = {
        ...state,
        content: await shownHtml(state.content),
        category_ids: await lockCategories(tx, state.category_ids),
      }
      const saved = await savePost(deps, tx, { before, body }, call.identity.userId)
      return { ...saved, details: { revision } }
    },
  })

type PreviewOf = DraftKey & { revision: string | undefined }

/** A post as a player would read it: of a revision, else of the reader's draft, else as it is saved. */
export async function previewPost(db: Db, { revision, ...key }: PreviewOf): Promise<Post> {
  const post = await POST.describe(await getStoredPost(db, key.postId))
  const state =
    revision === undefined ? (await findDraft(db, key))?.state : await getRevision(db, key.postId, revision)
  const { excerpt, cover, publish_at, ...shown } = { ...post, ...state }
  const content = await shownHtml(shown.content)
  return {
    ...shown,
    content,
    excerpt: excerpt || excerptOf(content),
    ...(isCover(cover) ? { cover } : {}),
    created_at: publish_at ?? post.publish_at,
    author: 'Admin',
  }
}
