import { getCategory, getPost, listCategories, listPosts } from '#contract/posts.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as posts from './posts.service.ts'
import { countView } from './views.service.ts'

export function registerPosts(api: Api, deps: posts.PostsDeps): void {
  api.serveKept(listPosts, ({ query }) => readPublic(deps.db, (db) => posts.listPosts(db, query)))
  api.serve(getPost, async ({ params, request }) => {
    const post = await readPublic(deps.db, (db) => posts.getPost(db, params.id))
    if (!deps.isInternal(request)) {
      countView(deps, { postId: post.id, address: request.ip, userAgent: request.headers['user-agent'] })
    }
    return post
  })
  api.serveKept(listCategories, () => readPublic(deps.db, posts.listCategories))
  api.serve(getCategory, ({ params }) => readPublic(deps.db, (db) => posts.getCategory(db, params.id)))
}
