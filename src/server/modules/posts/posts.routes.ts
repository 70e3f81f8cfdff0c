import { getCategory, getPost, listCategories, listPosts } from '#contract/posts.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as posts from './posts.service.ts'
import { countView } from './views.service.ts'

export function registerPosts(api: Api, deps: posts.PostsDeps): void {
  api.serve(listPosts, ({ query }) => posts.listPosts(deps.db, query))
  api.serve(getPost, async ({ params, request }) => {
    const post = await posts.getPost(deps.db, params.id)
    if (!deps.isInternal(request)) {
      countView(deps, { postId: post.id, address: request.ip, userAgent: request.headers['user-agent'] })
    }
    return post
  })
  api.serve(listCategories, () => posts.listCategories(deps.db))
  api.serve(getCategory, ({ params }) => posts.getCategory(deps.db, params.id))
}
