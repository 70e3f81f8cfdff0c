import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
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
      const text = await make(deps)
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
      reply.header('cache-control', 'public, max-age=60').header('etag', etag).type(type)
      return isKnown(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(text)
    })
  }
}

/** Whether the client has this very text; proxies may have made the tag a weak one. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
