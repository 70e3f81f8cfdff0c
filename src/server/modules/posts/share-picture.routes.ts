import type { FastifyInstance } from 'fastify'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { sendTagged } from '#server/platform/http/etag.ts'
import { createSharePictures } from './share-picture.service.ts'

/** What chat groups show beside a shared post. Its address carries the version, so a kept copy is never wrong for long. */
export function registerSharePictures(app: FastifyInstance, deps: PlatformDeps): void {
  const pictures = createSharePictures()
  app.get<{ Params: { id: string } }>('/share/post-:id(^\\d+).png', async (request, reply) => {
    const { png, etag } = await pictures.of(deps.db, request.params.id)
    reply.header('cache-control', 'public, max-age=3600').type('image/png')
    return sendTagged(request, reply, { etag, body: png })
  })
}
