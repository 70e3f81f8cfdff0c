import { operatorCategories, operatorPosts } from '#contract/operator/posts.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as categories from './operator-categories.service.ts'
import * as posts from './operator-posts.service.ts'
import * as editing from './post-editing.service.ts'
import type { PostsDeps } from './posts.service.ts'

const keyOf = ({ params, identity }: { params: { id: string }; identity: { userId: string } }) => ({
  postId: params.id,
  userId: identity.userId,
})

export function registerOperatorPosts(api: Api, deps: PostsDeps): void {
  const { db } = deps
  serveOperatorList(api, deps, operatorPosts.list, {
    usualSort: ['id', 'ASC'],
    rows: posts.listOperatorPosts,
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
  api.serveAll(operatorPosts, deps, {
    create: posts.createPost,
    update: posts.changePost,
    remove: posts.removePost,
  })
  api.serve(operatorPosts.draft, (call) => editing.getDraft(db, keyOf(call)))
  api.serve(operatorPosts.saveDraft, (call) => editing.saveDraft(deps, keyOf(call), call.body))
  api.serve(operatorPosts.dropDraft, (call) => editing.dropDraft(deps, keyOf(call)))
  api.serve(operatorPosts.revisions, ({ params }) => editing.listRevisions(db, params.id))
  api.serve(operatorPosts.restore, (call) => editing.restoreRevision(deps, call))
  api.serve(operatorPosts.preview, (call) =>
    editing.previewPost(db, { ...keyOf(call), revision: call.query.revision }),
  )

  serveOperatorList(api, deps, operatorCategories.list, {
    usualSort: ['position', 'ASC'],
    rows: categories.listOperatorCategories,
  })
  api.serve(operatorCategories.get, ({ params }) => categories.getOperatorCategory(db, params.id))
  api.serveAll(operatorCategories, deps, {
    create: categories.createCategory,
    update: categories.changeCategory,
    remove: categories.removeCategory,
  })
}
