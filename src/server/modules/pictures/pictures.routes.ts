import type { FastifyInstance } from 'fastify'
import { operatorPictures } from '#contract/operator/posts.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { findUpload, addPicture, listPictures, removePicture, type PicturesDeps } from './pictures.service.ts'

/** Serves uploaded pictures. An address names its content, so it may be cached for ever. */
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

export function registerOperatorPictures(api: Api, deps: PicturesDeps): void {
  serveOperatorList(api, deps, operatorPictures.list, { usualSort: ['id', 'DESC'], rows: listPictures })
  api.serveAll(operatorPictures, deps, { create: addPicture, remove: removePicture })
}
