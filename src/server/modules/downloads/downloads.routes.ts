import type { FastifyInstance } from 'fastify'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { drawDownloadQr } from './downloads.service.ts'

/** `/download/qr/{key}.svg`: the link of a version for the phone of a visitor who sits at a desktop. */
export function registerDownloads(app: FastifyInstance, deps: PlatformDeps): void {
  app.get<{ Params: { key: string } }>('/download/qr/:key.svg', async ({ params, headers }, reply) => {
    const { svg, etag } = await drawDownloadQr(deps.db, params.key)
    reply
      .header('cache-control', 'public, max-age=300')
      .header('etag', etag)
      .type('image/svg+xml; charset=utf-8')
    return headers['if-none-match']?.includes(etag) ? reply.code(304).send() : reply.send(svg)
  })
}
