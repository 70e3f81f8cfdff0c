import type { FastifyInstance } from 'fastify'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { sendTagged } from '#server/platform/http/cached-response.ts'
import { drawDownloadQr } from './downloads.service.ts'

/** `/download/qr/{key}.svg`: the link of a version for the phone of a visitor who sits at a desktop. */
export function registerDownloads(app: FastifyInstance, deps: PlatformDeps): void {
  app.get<{ Params: { key: string } }>('/download/qr/:key.svg', async (request, reply) => {
    const tagged = await drawDownloadQr(deps.db, request.params.key)
    reply.header('cache-control', 'public, max-age=300').type('image/svg+xml; charset=utf-8')
    return sendTagged(request, reply, tagged)
  })
}
