import { getCategory, getPost, listCategories, listPosts } from '#contract/posts.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { Api } from '#server/platform/http/api.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import * as posts from './posts.service.ts'
import { countView } from './views.service.ts'

const SEARCHES_PER_ADDRESS = machineLimit('searches-address', 60, 60)

export function registerPosts(api: Api, deps: posts.PostsDeps): void {
  api.serveKept(listPosts, async ({ query, visitor }) => {
    // Each is another one: no memory answers it.
    if (query.search !== undefined && visitor !== null) {
      await deps.limits.consume(SEARCHES_PER_ADDRESS, clientKey(visitor.address))
    }
    return readPublic(deps.db, (db) => posts.listPosts(db, query))
  })
  api.serveRead(getPost, async ({ params, visitor }) => {
    const post = await readPublic(deps.db, (db) => posts.getPost(db, params.id))
    if (visitor !== null) countView(deps, { postId: post.id, ...visitor })
    return post
  })
  api.serveKept(listCategories, () => readPublic(deps.db, posts.listCategories))
  api.serveRead(getCategory, ({ params }) => readPublic(deps.db, (db) => posts.getCategory(db, params.id)))
}
