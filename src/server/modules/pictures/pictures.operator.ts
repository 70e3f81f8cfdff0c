import { operatorPictures } from '#contract/operator/posts.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import { addPicture, listPictures, removePicture, type PicturesDeps } from './pictures.service.ts'

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
