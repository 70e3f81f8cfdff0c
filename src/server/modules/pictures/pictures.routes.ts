import type { FastifyInstance } from 'fastify'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { findUpload } from './pictures.service.ts'

/** Serves uploaded pictures. An address names its content, so it may be kept for ever. */
export function registerUploads(app: FastifyInstance, { db }: Pick<PlatformDeps, 'db'>): void {
  app.get<{ Params: { file: string } }>('/uploads/:file', async ({ params }, reply) => {
    const content = await findUpload(db, `/uploads/${params.file}`)
    if (content === undefined) return reply.callNotFound()
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('image/webp')
      .send(content)
  })
}
