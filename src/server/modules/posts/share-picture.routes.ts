import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { sendTagged } from '#server/platform/http/etag.ts'
import { createSharePictures, type SharePicture } from './share-picture.service.ts'

/** What chat groups show beside a shared page. Its address changes with it, so a kept copy is never wrong for long. */
export function registerSharePictures(app: FastifyInstance, deps: PlatformDeps): void {
  const pictures = createSharePictures()
  const sendPicture = (request: FastifyRequest, reply: FastifyReply, { png, etag }: SharePicture) => {
    reply.header('cache-control', 'public, max-age=3600').type('image/png')
    return sendTagged(request, reply, { etag, body: png })
  }
  app.get('/share/site.png', async (request, reply) =>
    sendPicture(request, reply, await pictures.ofSite({ db: deps.db, address: request.ip })),
  )
  app.get<{ Params: { id: string } }>('/share/post-:id(^\\d+).png', async (request, reply) =>
    sendPicture(request, reply, await pictures.of({ db: deps.db, address: request.ip }, request.params.id)),
  )
}
