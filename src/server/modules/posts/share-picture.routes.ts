import type { FastifyInstance } from 'fastify'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { sendTagged } from '#server/platform/http/etag.ts'
import { createSharePictures, type ShareDeps } from './share-picture.service.ts'

/** What chat groups show beside a shared page. Its address changes with it, so a kept copy is never wrong for long. */
export function registerSharePictures(app: FastifyInstance, deps: PlatformDeps & ShareDeps): void {
  const pictures = createSharePictures(deps)
  app.get<{ Params: { name: string } }>('/share/:name.png', async (request, reply) => {
    const { png, etag } = await pictures.of({ db: deps.db, address: request.ip }, request.params.name)
    reply.header('cache-control', 'public, max-age=3600').type('image/png')
    return sendTagged(request, reply, { etag, body: png })
  })
}
