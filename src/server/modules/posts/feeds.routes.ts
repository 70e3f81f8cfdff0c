import type { FastifyInstance } from 'fastify'
import { etagOf, sendTagged } from '#server/platform/http/etag.ts'
import { makeAtomFeed, makeRobots, makeSitemap, type FeedsDeps } from './feeds.service.ts'

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
