import type { OperatorPost, OperatorPostRevision, operatorPosts } from '#contract/operator/posts.ts'
import type { Post } from '#contract/posts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { shownHtml } from '#server/platform/html/safe-html.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { changeContent } from './content-changes.service.ts'
import {
  type DraftKey,
  findDraft,
  getStoredPost,
  lockCategories,
  lockPost,
} from './operator-posts.queries.ts'
import { assertSeen, POST, savePost } from './operator-posts.service.ts'
import { getRevision, listRevisionRows } from './post-revisions.queries.ts'
import { excerptOf, isCover } from './posts.rules.ts'
import type { PostsDeps } from './posts.service.ts'

export async function listRevisions(db: Db, postId: string): Promise<OperatorPostRevision[]> {
  await getStoredPost(db, postId)
  const rows = await listRevisionRows(db, postId)
  return rows.map((row) => ({ ...row, saved_at: row.saved_at.toISOString() }))
}

/** Text, pictures and categories become what they were; whether and when the post is shown does not change with it. */
export async function restoreRevision(
  deps: PostsDeps,
  call: UserCall<typeof operatorPosts.restore>,
): Promise<OperatorPost> {
  const { id, revision } = call.params
  return changeContent(deps, call, {
    ...POST,
    action: 'posts.restore',
    async work(tx) {
      const before = await lockPost(tx, id)
      await assertSeen(before, call.body.updated_at)
      const { published: _, publish_at: __, ...state } = await getRevision(tx, id, revision)
      const body = {
        ...state,
        content: await shownHtml(state.content),
        category_ids: await lockCategories(tx, state.category_ids),
      }
      const saved = await savePost(tx, { before, body, now: deps.clock.now() }, call.identity.userId)
      return { ...saved, details: { revision } }
    },
  })
}

type PreviewWanted = DraftKey & { revision: string | undefined }

/** A post as a player would read it: of a revision, else of the reader's draft, else as it is saved. */
export async function previewPost(db: Db, { revision, ...key }: PreviewWanted): Promise<Post> {
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
