import type { OperatorPostDraft, OperatorPostDraftBody } from '#contract/operator/posts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { makeSafe } from '#server/platform/html/safe-html.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import {
  deleteDraft,
  type DraftKey,
  type DraftRow,
  findDraft,
  getStoredPost,
  lockPost,
  putDraft,
} from './operator-posts.queries.ts'
import { assertSeen, keepPictures } from './operator-posts.service.ts'
import { cleanText } from '#server/platform/html/clean-text.rules.ts'

export async function getDraft(db: Db, key: DraftKey): Promise<{ draft: OperatorPostDraft | null }> {
  await getStoredPost(db, key.postId)
  const row = await findDraft(db, key)
  return { draft: row === undefined ? null : describe(row) }
}

/** Keeps what an editor has written so far. Nobody else sees it, so the audit trail says nothing of it. */
export async function saveDraft(
  deps: PlatformDeps,
  key: DraftKey,
  body: OperatorPostDraftBody,
): Promise<OperatorPostDraft> {
  const content = await makeSafe(cleanText(body.content))
  const cover = body.cover ?? null
  return inTransaction(deps.db, async (tx) => {
    const post = await lockPost(tx, key.postId)
    await assertSeen(post, body.updated_at)
    const pictures = await keepPictures(tx, { content, cover })
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
