import type { FastifyInstance } from 'fastify'
import { getCategory, getPost, listCategories, listPosts } from '#contract/posts.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { etagOf, sendTagged } from '#server/platform/http/cached-response.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import { type FeedsDeps, makeAtomFeed, makeRobots, makeSitemap } from './posts.service.ts'
import * as posts from './posts.service.ts'
import { createSharePictures, type ShareDeps } from './share-picture.service.ts'
import { countView } from './views.service.ts'

const SEARCHES_PER_ADDRESS = machineLimit('searches-address', 60, 60)

export function registerPosts(api: Api, deps: posts.PostsDeps): void {
  api.serveCached(listPosts, async ({ query, visitor }) => {
    // Searches differ, so they are not cached.
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
  api.serveCached(listCategories, () => readPublic(deps.db, posts.listCategories))
  api.serveRead(getCategory, ({ params }) => readPublic(deps.db, (db) => posts.getCategory(db, params.id)))
}

type Feed = { path: string; type: string; make: (deps: FeedsDeps) => Promise<string> }

const FEEDS: readonly Feed[] = [
  { path: '/sitemap.xml', type: 'application/xml; charset=utf-8', make: makeSitemap },
  { path: '/robots.txt', type: 'text/plain; charset=utf-8', make: makeRobots },
  { path: '/feed.xml', type: 'application/atom+xml; charset=utf-8', make: makeAtomFeed },
]

/** Addresses outside `/api` that machines read. */
export function registerFeeds(app: FastifyInstance, deps: FeedsDeps): void {
  for (const { path, type, make } of FEEDS) {
    app.get(path, async (request, reply) => {
      const body = await make(deps)
      reply.header('cache-control', 'public, max-age=60').type(type)
      return sendTagged(request, reply, { etag: etagOf(body), body })
    })
  }
}

/** What chat groups show beside a shared page. Its address changes with it, so a cached copy is never wrong for long. */
export function registerSharePictures(app: FastifyInstance, deps: PlatformDeps & ShareDeps): void {
  const pictures = createSharePictures(deps)
  app.get<{ Params: { name: string } }>('/share/:name.png', async (request, reply) => {
    const { png, etag } = await pictures.of({ db: deps.db, address: request.ip }, request.params.name)
    reply.header('cache-control', 'public, max-age=3600').type('image/png')
    return sendTagged(request, reply, { etag, body: png })
  })
}
