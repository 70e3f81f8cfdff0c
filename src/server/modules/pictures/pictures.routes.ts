import type { FastifyInstance } from 'fastify'
import { operatorPictures } from '#contract/operator/posts.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
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
  api.serve(operatorPictures.list, async ({ query, reply }) => {
    const page = readList(query, ['id', 'DESC'])
    return listAnswer(reply, 'pictures', { page, ...(await listPictures(deps.db, page.filter, page)) })
  })
  api.serve(operatorPictures.create, (call) => addPicture(deps, call))
  api.serve(operatorPictures.remove, async (call) => {
    await removePicture(deps, call)
    return undefined
  })
}
