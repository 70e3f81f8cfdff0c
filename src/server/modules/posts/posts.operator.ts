import { operatorCategories, operatorPosts } from '#contract/operator/posts.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import * as categories from './operator-categories.service.ts'
import * as posts from './operator-posts.service.ts'
import * as drafts from './post-editing.service.ts'
import * as revisions from './post-editing.service.ts'
import type { PostsDeps } from './posts.service.ts'

const keyOf = ({ params, identity }: { params: { id: string }; identity: { userId: string } }) => ({
  postId: params.id,
  userId: identity.userId,
})

export function registerOperatorPosts(api: Api, deps: PostsDeps): void {
  const { db } = deps
  serveOperatorList(api, deps, operatorPosts.list, {
    resource: 'posts',
    usualSort: ['id', 'ASC'],
    rows: (filter, page) => posts.listOperatorPosts(db, filter, page),
    file: {
      Mã: ({ id }) => id,
      'Tiêu đề': ({ title }) => title,
      'Đã đăng': ({ published }) => (published ? 'Có' : 'Không'),
      'Hiện từ': ({ publish_at }) => csvMoment(publish_at),
      'Lượt xem': ({ views }) => views,
      'Sửa lúc': ({ updated_at }) => csvMoment(updated_at),
    },
  })
  api.serve(operatorPosts.get, ({ params }) => posts.getOperatorPost(db, params.id))
  api.serve(operatorPosts.create, (call) => posts.createPost(deps, call))
  api.serve(operatorPosts.update, (call) => posts.changePost(deps, call))
  api.serve(operatorPosts.remove, (call) => posts.removePost(deps, call))
  api.serve(operatorPosts.draft, (call) => drafts.getDraft(db, keyOf(call)))
  api.serve(operatorPosts.saveDraft, (call) => drafts.saveDraft(deps, keyOf(call), call.body))
  api.serve(operatorPosts.dropDraft, async (call) => {
    await drafts.dropDraft(deps, keyOf(call))
    return undefined
  })
  api.serve(operatorPosts.revisions, ({ params }) => revisions.listRevisions(db, params.id))
  api.serve(operatorPosts.restore, (call) => revisions.restoreRevision(deps, call))
  api.serve(operatorPosts.preview, (call) =>
    revisions.previewPost(db, { ...keyOf(call), revision: call.query.revision }),
  )

  api.serve(operatorCategories.list, async ({ query, reply }) => {
    const page = readList(query, ['position', 'ASC'])
    const answer = await categories.listOperatorCategories(db, page.filter, page)
    return listAnswer(reply, 'categories', { page, ...answer })
  })
  api.serve(operatorCategories.get, ({ params }) => categories.getOperatorCategory(db, params.id))
  api.serve(operatorCategories.create, (call) => categories.createCategory(deps, call))
  api.serve(operatorCategories.update, (call) => categories.changeCategory(deps, call))
  api.serve(operatorCategories.remove, (call) => categories.removeCategory(deps, call))
}
