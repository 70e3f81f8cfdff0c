import { operatorCategories, operatorPosts } from '#contract/operator/posts.ts'
import type { Api, UserCall } from '#server/platform/http/api.ts'
import { listRange, readListQuery } from '#server/platform/http/list.ts'
import * as categories from './operator-categories.service.ts'
import * as posts from './operator-posts.service.ts'
import type { PostsDeps } from './posts.service.ts'

const operatorOf = ({
  identity,
  request,
}: Pick<UserCall<never>, 'identity' | 'request'>): posts.Operator => ({
  operatorId: identity.userId,
  requestId: request.id,
})

export function registerOperatorPosts(api: Api, deps: PostsDeps): void {
  const { db } = deps
  api.serve(operatorPosts.list, async ({ query, reply }) => {
    const list = readListQuery(query, posts.POST_LIST)
    return listRange(reply, 'posts', { list, ...(await posts.listOperatorPosts(db, list)) })
  })
  api.serve(operatorPosts.get, ({ params }) => posts.getOperatorPost(db, params.id))
  api.serve(operatorPosts.create, (call) => posts.createPost(deps, call.body, operatorOf(call)))
  api.serve(operatorPosts.update, (call) =>
    posts.changePost(deps, { id: call.params.id, body: call.body }, operatorOf(call)),
  )
  api.serve(operatorPosts.remove, (call) => posts.removePost(deps, call.params.id, operatorOf(call)))

  api.serve(operatorCategories.list, async ({ query, reply }) => {
    const list = readListQuery(query, categories.CATEGORY_LIST)
    return listRange(reply, 'categories', { list, ...(await categories.listOperatorCategories(db, list)) })
  })
  api.serve(operatorCategories.get, ({ params }) => categories.getOperatorCategory(db, params.id))
  api.serve(operatorCategories.create, (call) => categories.createCategory(deps, call.body, operatorOf(call)))
  api.serve(operatorCategories.update, (call) =>
    categories.changeCategory(deps, { id: call.params.id, body: call.body }, operatorOf(call)),
  )
  api.serve(operatorCategories.remove, (call) =>
    categories.removeCategory(deps, call.params.id, operatorOf(call)),
  )
}
