import { operatorCategories, operatorPosts } from '#contract/operator/posts.ts'
import type { Api, UserCall } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import type { Operator } from './content-changes.service.ts'
import * as categories from './operator-categories.service.ts'
import * as posts from './operator-posts.service.ts'
import type { PostsDeps } from './posts.service.ts'

const operatorOf = ({ identity, request }: Pick<UserCall<never>, 'identity' | 'request'>): Operator => ({
  operatorId: identity.userId,
  requestId: request.id,
})

export function registerOperatorPosts(api: Api, deps: PostsDeps): void {
  const { db } = deps
  api.serve(operatorPosts.list, async ({ query, reply }) => {
    const page = readList(query, ['id', 'ASC'])
    return listAnswer(reply, 'posts', { page, ...(await posts.listOperatorPosts(db, page.filter, page)) })
  })
  api.serve(operatorPosts.get, ({ params }) => posts.getOperatorPost(db, params.id))
  api.serve(operatorPosts.create, (call) => posts.createPost(deps, call.body, operatorOf(call)))
  api.serve(operatorPosts.update, (call) =>
    posts.changePost(deps, { id: call.params.id, body: call.body }, operatorOf(call)),
  )
  api.serve(operatorPosts.remove, (call) => posts.removePost(deps, call.params.id, operatorOf(call)))

  api.serve(operatorCategories.list, async ({ query, reply }) => {
    const page = readList(query, ['position', 'ASC'])
    const answer = await categories.listOperatorCategories(db, page.filter, page)
    return listAnswer(reply, 'categories', { page, ...answer })
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
